import type { LLM, STT, TTS, TurnDetector, VAD } from '../../api/models.js'
import type { SessionOptions } from '../../api/session.js'
import { VirtualClock } from '../clock.js'
import { scriptedSTT, scriptedVAD } from '../ears.js'
import { TestLine } from '../line.js'
import { actor, type ScriptedLLM } from '../llm.js'
import { Meter } from '../meter.js'
import { type AnswerTiming, prompter, type Script } from '../script.js'
import { type ScriptedTTS, type ScriptedTTSOptions, speaker } from '../voice.js'
import type { EarTiming } from './acts.js'
import { type Bench, benches } from './benches.js'
import { Cast, isByName } from './cast.js'
import type { Scene } from './scene.js'

/** Everything around a session that a scene is played with: the clock, the line, the models. */
export class Equipment {
  readonly clock = new VirtualClock()
  /** The clock as the session has it. */
  readonly meter = new Meter(this.clock)
  readonly cast = new Cast()
  readonly models: ScriptedLLM[] = []
  readonly voices: ScriptedTTS[] = []
  readonly ear = scriptedSTT({ clock: this.clock })
  /** Agents may have been given models of their own before the scene is known: they ask for this when they are used. */
  #bench: Bench = benches.field
  #scene: Scene | undefined
  #line = new TestLine({ clock: this.clock })

  get line(): TestLine {
    return this.#line
  }

  /** When the recogniser of the scene writes down what it hears. */
  get hearing(): EarTiming {
    const { stt } = this.#scene ?? {}
    return { ...this.#bench.stt, ...(stt && !isSTT(stt) && stt) }
  }

  llm(script: Script, { name = 'own model', ...timing }: AnswerTiming & { readonly name?: string } = {}): ScriptedLLM {
    const model = actor(prompter(script), { clock: this.clock, name }, () => ({ ...this.#bench.llm, ...timing }))
    this.models.push(model)
    return model
  }

  tts(options: Omit<ScriptedTTSOptions, 'clock'> = {}): ScriptedTTS {
    const voice = speaker({ clock: this.clock, name: 'own voice', ...options }, () => ({
      ...this.#bench.tts,
      ...options,
    }))
    this.voices.push(voice)
    return voice
  }

  /** The options of a session that is played in `scene`. */
  optionsFor(scene: Scene): SessionOptions {
    this.#scene = scene
    this.#bench = benches[scene.bench ?? 'field']
    this.#line = new TestLine({ clock: this.clock, ...this.#bench.line, ...scene.line })
    const { options: usual } = this.#bench
    const { options = {} } = scene
    const stt = this.#sttOf(scene)
    const vad = stt && this.#vadOf(scene)
    const tts = this.#ttsOf(scene)
    const turnDetector = this.#turnDetectorOf(scene)
    return {
      ...usual,
      ...options,
      turnHandling: {
        endpointing: { ...usual.turnHandling?.endpointing, ...options.turnHandling?.endpointing },
        interruption: { ...usual.turnHandling?.interruption, ...options.turnHandling?.interruption },
      },
      line: this.#line,
      llm: this.#llmOf(scene),
      clock: this.meter,
      ...(stt && { stt }),
      ...(vad && { vad }),
      ...(tts && { tts }),
      ...(turnDetector && { turnDetector }),
    }
  }

  #llmOf({ llm = [], answers }: Scene): LLM {
    if (isLLM(llm)) return llm
    const prompts = isByName(llm) ? this.cast.prompter(llm) : prompter(llm)
    const model = actor(prompts, { clock: this.clock }, () => ({ ...this.#bench.llm, ...answers }))
    this.models.unshift(model)
    return model
  }

  #ttsOf({ tts = {} }: Scene): TTS | undefined {
    if (tts === null) return undefined
    return 'speak' in tts ? tts : this.tts({ name: 'scripted voice', ...tts })
  }

  #sttOf({ stt = {} }: Scene): STT | undefined {
    if (stt === null) return undefined
    return isSTT(stt) ? stt : this.ear
  }

  #vadOf({ vad = {} }: Scene): VAD | undefined {
    if (vad === null) return undefined
    return 'open' in vad ? vad : scriptedVAD({ ...this.#bench.vad, ...vad })
  }

  #turnDetectorOf({ turnDetector: given }: Scene): TurnDetector | undefined {
    if (given === undefined || 'predict' in given) return given
    const { says, delay } = 'says' in given ? given : { says: given, delay: 0 }
    let asked = 0
    return {
      name: 'scripted turn detector',
      predict: async (_, { signal }) => {
        const answer = says[Math.min(asked++, says.length - 1)] ?? null
        if (delay > 0) await this.clock.sleep(delay, signal)
        return answer
      },
    }
  }
}

const isLLM = (llm: object): llm is LLM => 'generate' in llm
const isSTT = (stt: object): stt is STT => 'transcribe' in stt

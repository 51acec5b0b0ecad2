import type { Audio, GenerateRequest, LLMPart, STT, Transcript } from '../api/models.js'
import type { LLMUsage, STTUsage, TTSUsage } from '../api/report.js'
import type { Id } from '../conversation/protocol.js'
import type { Draft, Usage } from './usage.js'

type Ended = 'done' | 'cancelled' | 'failed'

/** Characters that make a token, roughly, where nobody has counted. */
const charactersPerToken = 4
const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken)

// ── language models ────────────────────────────────────────────────────────────────────────────

/** Counts what a model is asked and answers, while the answer passes through. */
export async function* meterModel(
  parts: AsyncIterable<LLMPart>,
  of: { readonly provider: string; readonly generation: Id; readonly reply: Id; readonly request: GenerateRequest },
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<LLMPart, void, void> {
  const { request, ...names } = of
  const inputTokens = tokens(lengthOf(request))
  const draft = usage.begin<LLMUsage>({
    kind: 'llm',
    ...names,
    estimated: true,
    inputTokens,
    outputTokens: 0,
    cachedTokens: 0,
  })
  const said = { pieces: 0, characters: 0 }
  let status: Ended = 'failed'
  try {
    for await (const part of parts) {
      count(draft, said, part)
      yield part
    }
    status = 'done'
  } finally {
    usage.end(draft, signal.aborted ? 'cancelled' : status)
    usage.tell(draft)
  }
}

/** What the provider tells is true; until then, a piece of an answer is at least a token. */
function count(draft: Draft<LLMUsage>, said: { pieces: number; characters: number }, part: LLMPart): void {
  if (part.type === 'usage') {
    const { inputTokens, outputTokens, cachedTokens = 0 } = part
    Object.assign(draft, { estimated: false, inputTokens, outputTokens, cachedTokens })
  } else if (part.type !== 'flush' && draft.estimated) {
    said.pieces += 1
    said.characters += part.type === 'text' ? part.text.length : part.name.length + part.args.length
    draft.outputTokens = Math.max(said.pieces, tokens(said.characters))
  }
}

function lengthOf({ instructions, messages, tools }: GenerateRequest): number {
  const texts = messages.map((message) => (message.role === 'call' ? message.name + message.args : message.text))
  const specs = tools.map(({ name, description, input }) => name + description + JSON.stringify(input))
  return [instructions, ...texts, ...specs].reduce((sum, text) => sum + text.length, 0)
}

// ── voices ─────────────────────────────────────────────────────────────────────────────────────

/** Counts what a voice is given and makes of it, and how much of that is heard. It is told when both are known. */
export class VoiceMeter {
  readonly #draft: Draft<TTSUsage>
  readonly #usage: Usage
  #heard = false

  constructor(usage: Usage, of: Pick<TTSUsage, 'provider' | 'speech' | 'reply'>) {
    this.#usage = usage
    this.#draft = usage.begin<TTSUsage>({
      kind: 'tts',
      ...of,
      estimated: false,
      characters: 0,
      audioMs: 0,
      heardMs: 0,
    })
  }

  /** The request to the voice is over. */
  made({ characters, audioMs }: Pick<TTSUsage, 'characters' | 'audioMs'>, status: Ended): void {
    Object.assign(this.#draft, { characters, audioMs })
    this.#usage.end(this.#draft, status)
    this.#settle()
  }

  /** The line has played so much of it, and plays no more. */
  heard(ms: number): void {
    if (this.#heard) return
    this.#heard = true
    this.#draft.heardMs = ms
    this.#settle()
  }

  #settle(): void {
    if (this.#heard && this.#draft.end !== null) this.#usage.tell(this.#draft)
  }
}

// ── speech recognisers ─────────────────────────────────────────────────────────────────────────

/** The same recogniser, counted: by what it tells, or else by the sound that it was given. */
export function meterEar(stt: STT, usage: Usage): STT {
  return {
    name: stt.name,
    sampleRate: stt.sampleRate,
    async *transcribe(audio, running) {
      const draft = usage.begin<STTUsage>({ kind: 'stt', provider: stt.name, estimated: true, audioSeconds: 0 })
      let status: Ended = 'failed'
      try {
        for await (const said of stt.transcribe(given(audio, draft), running)) {
          if (said.type === 'usage') report(usage, draft, said)
          yield said
        }
        status = 'done'
      } finally {
        // a stream has no end of its own: it is told to stop
        usage.end(draft, running.signal.aborted ? 'done' : status)
        if (draft.estimated) usage.tell(draft)
      }
    },
  }
}

function report(usage: Usage, draft: Draft<STTUsage>, { audioSeconds }: Extract<Transcript, { type: 'usage' }>): void {
  draft.audioSeconds = draft.estimated ? audioSeconds : draft.audioSeconds + audioSeconds
  draft.estimated = false
  usage.tell(draft)
}

async function* given(audio: AsyncIterable<Audio>, draft: Draft<STTUsage>): AsyncGenerator<Audio, void, void> {
  let samples = 0
  for await (const piece of audio) {
    samples += piece.samples.length
    if (draft.estimated) draft.audioSeconds = samples / piece.rate
    yield piece
  }
}

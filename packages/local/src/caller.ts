import { type Audio, UsageError } from 'antiphon'

/** Something that a recorded caller says. */
export interface Utterance {
  readonly sound: Audio
  /** When it is said. Default: at once when the one before has been said. */
  readonly cue?: Cue
}

/**
 * What a recorded caller waits for: that the agent begins another speech, or has spoken and is still, since the caller last
 * spoke; and then `after` ms more. So it talks over the agent, or answers it, however fast the machine is.
 */
export interface Cue {
  readonly when: 'agent-speaks' | 'agent-rests'
  readonly after: number
}

/** Samples from and to which something was said. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** ms that a caller waits for a cue before leaving. */
const PATIENCE = 30_000
/** How a caller leaves who has said everything: the answer is heard out. */
const FAREWELL: Cue = { when: 'agent-rests', after: 2_000 }

/** A caller who says recorded utterances, each on its cue, and leaves after the answer to the last one. */
export class RecordedCaller {
  readonly #rate: number
  readonly #utterances: readonly Utterance[]
  readonly #said: Stretch[] = []
  #speaking: { readonly sound: Int16Array; from: number } | null = null
  /** When the caller last had nothing more to say. */
  #silentSince = 0
  /** Speeches of the agent's that have begun by now. */
  #speeches = 0
  /** When the first of them began since the caller last spoke. */
  #agentBegan: number | null = null
  #agentLastHeard = 0
  #agentSounds = false
  #left = false

  /** All sounds have `rate`. */
  constructor(utterances: readonly Utterance[], rate: number) {
    for (const { cue } of utterances) {
      if (cue && !(cue.after >= 0)) throw new UsageError(`a cue's \`after\` must be ms from 0 on; it is ${cue.after}`)
    }
    this.#utterances = utterances
    this.#rate = rate
  }

  /** What was said, and when. */
  get said(): readonly Stretch[] {
    return this.#said
  }

  /** The caller has left. */
  get left(): boolean {
    return this.#left
  }

  /** Whether the agent was heard in the `count` samples from `position` on, and how many speeches it has begun by then. */
  hear(position: number, count: number, agent: { readonly sounds: boolean; readonly speeches: number }): void {
    if (agent.speeches > this.#speeches) this.#agentBegan ??= position
    this.#speeches = agent.speeches
    this.#agentSounds = agent.sounds
    if (agent.sounds) this.#agentLastHeard = position + count
  }

  /** What the caller says in the `count` samples from `position` on. */
  speak(position: number, count: number): Int16Array {
    const spoken = new Int16Array(count)
    if (!this.#speaking) this.#decide(position)
    if (!this.#speaking) return spoken
    const { sound, from } = this.#speaking
    const part = sound.subarray(position - from, position - from + count)
    spoken.set(part)
    if (position - from + count >= sound.length) this.#fallSilent(position + part.length)
    return spoken
  }

  #decide(position: number): void {
    const utterance = this.#utterances[this.#said.length]
    const cue = utterance ? utterance.cue : FAREWELL
    const waited = position - this.#silentSince
    if (cue && !this.#hears(cue, position)) {
      this.#left ||= waited > (PATIENCE * this.#rate) / 1_000
      return
    }
    if (!utterance) {
      this.#left = true
      return
    }
    this.#speaking = { sound: utterance.sound.samples, from: position }
    this.#said.push({ from: position, to: position + utterance.sound.samples.length })
  }

  #hears({ when, after }: Cue, position: number): boolean {
    if (this.#agentBegan === null) return false
    const wait = (after * this.#rate) / 1_000
    if (when === 'agent-speaks') return position - this.#agentBegan >= wait
    return !this.#agentSounds && position - this.#agentLastHeard >= wait
  }

  #fallSilent(position: number): void {
    this.#speaking = null
    this.#silentSince = position
    this.#agentBegan = null
  }
}

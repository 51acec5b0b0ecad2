import type { Audio, GenerateRequest, LLM, LLMPart, Running, Spoken, STT, TTS } from '../api/models.js'
import type { LLMUsage, STTUsage, TTSUsage, UsageRecord } from '../api/report.js'
import { abortable } from '../audio/flow.js'
import { durationOf } from '../audio/frames.js'
import type { Draft, NewRecord, Usage } from './usage.js'

/** Characters that make a token, roughly, where nobody has counted. */
const charactersPerToken = 4
const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** One request as its provider sees it; where that passes it on to others, a request to each of them. */
class Requested<Of extends UsageRecord> {
  readonly drafts: Draft<Of>[] = []
  readonly #usage: Usage
  readonly #begin: (last: Draft<Of> | undefined) => NewRecord<Of>
  #named = false

  /** `begin`: what is known of a request when it begins; `last`: the one that failed before it. */
  constructor(usage: Usage, begin: (last: Draft<Of> | undefined) => NewRecord<Of>) {
    this.#usage = usage
    this.#begin = begin
  }

  /** The one that is answered. */
  get draft(): Draft<Of> {
    return this.drafts[this.drafts.length - 1] ?? this.#next()
  }

  /** `running`, for a provider that may pass the request on. */
  begin(running: Running): Running {
    this.#next()
    return {
      ...running,
      asks: (provider) => {
        this.#named = true
        this.draft.provider = provider
      },
      failedOver: (failover) => {
        if (!this.#named) this.draft.provider = failover.from
        this.#usage.end(this.draft, 'failed')
        this.#next().provider = failover.to
        running.failedOver?.(failover)
      },
    }
  }

  end(status: 'done' | 'cancelled' | 'failed'): void {
    this.#usage.end(this.draft, status)
  }

  tell(): void {
    for (const draft of this.drafts) this.#usage.tell(draft)
  }

  #next(): Draft<Of> {
    const draft = this.#usage.begin(this.#begin(this.drafts[this.drafts.length - 1]))
    this.drafts.push(draft)
    return draft
  }
}

// ── language models ────────────────────────────────────────────────────────────────────────────

/** The same model for one request, whose cost is counted. Its answer ends as soon as the signal aborts. */
export function meterModel(llm: LLM, usage: Usage, of: Pick<LLMUsage, 'generation' | 'reply'>): LLM {
  return {
    name: llm.name,
    async *generate(request, running) {
      const inputTokens = tokens(lengthOf(request))
      const empty = { estimated: true, inputTokens, outputTokens: 0, cachedTokens: 0 }
      const requested = new Requested<LLMUsage>(usage, () => ({ kind: 'llm', provider: llm.name, ...of, ...empty }))
      const { signal } = running
      const said = { draft: null as Draft<LLMUsage> | null, pieces: 0, characters: 0 }
      let status: 'done' | 'failed' = 'failed'
      try {
        for await (const part of abortable(llm.generate(request, requested.begin(running)), signal)) {
          const { draft } = requested
          if (said.draft !== draft) Object.assign(said, { draft, pieces: 0, characters: 0 })
          count(draft, said, part)
          yield part
        }
        status = 'done'
      } finally {
        requested.end(signal.aborted ? 'cancelled' : status)
        requested.tell()
      }
    },
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

/** Counts what a voice is given for one speech, what it makes of it, and what is heard of that. Told when all is known. */
export class VoiceMeter {
  readonly #requested: Requested<TTSUsage>
  #over = false
  #heard: number | null = null
  #said = 0

  constructor(usage: Usage, of: Pick<TTSUsage, 'provider' | 'speech' | 'reply'>) {
    // whoever takes over is given again what was not said
    this.#requested = new Requested<TTSUsage>(usage, (last) => {
      const characters = Math.max(0, (last?.characters ?? 0) - this.#said)
      this.#said = 0
      return { kind: 'tts', ...of, estimated: false, characters, audioMs: 0, heardMs: 0 }
    })
  }

  /** The same voice, counted. */
  counted(tts: TTS): TTS {
    return { name: tts.name, sampleRate: tts.sampleRate, speak: (text, running) => this.#speak(tts, text, running) }
  }

  async *#speak(tts: TTS, text: AsyncIterable<string>, running: Running): AsyncGenerator<Spoken, void, void> {
    let status: 'done' | 'failed' = 'failed'
    try {
      const sound = tts.speak(this.#given(text), this.#requested.begin(running))
      for await (const spoken of abortable(sound, running.signal)) {
        this.#requested.draft.audioMs += durationOf(spoken.audio.length, tts.sampleRate)
        this.#said += (spoken.text ?? '').length
        yield spoken
      }
      status = 'done'
    } finally {
      this.#requested.end(running.signal.aborted ? 'cancelled' : status)
      this.#over = true
      this.#settle()
    }
  }

  async *#given(text: AsyncIterable<string>): AsyncGenerator<string, void, void> {
    for await (const piece of text) {
      this.#requested.draft.characters += piece.length
      yield piece
    }
  }

  /** What it made was no good. */
  failed(): void {
    if (this.#requested.drafts.length > 0) this.#requested.draft.status = 'failed'
  }

  /** The line has played so much of it, and plays no more. */
  heard(ms: number): void {
    if (this.#heard !== null) return
    this.#heard = ms
    let left = ms
    for (const draft of this.#requested.drafts) {
      draft.heardMs = Math.min(left, draft.audioMs)
      left -= draft.heardMs
    }
    this.#settle()
  }

  #settle(): void {
    if (this.#over && this.#heard !== null) this.#requested.tell()
  }
}

// ── speech recognisers ─────────────────────────────────────────────────────────────────────────

/** The same recogniser, counted: by what it tells, or else by the sound that it was given. */
export function meterEar(stt: STT, usage: Usage): STT {
  return {
    name: stt.name,
    sampleRate: stt.sampleRate,
    async *transcribe(audio, { segments, ...running }) {
      const empty = { estimated: true, audioSeconds: 0 }
      const requested = new Requested<STTUsage>(usage, () => ({ kind: 'stt', provider: stt.name, ...empty }))
      let status: 'done' | 'failed' = 'failed'
      try {
        const passed = { segments, ...requested.begin(running) }
        for await (const said of stt.transcribe(given(audio, requested.draft), passed)) {
          if (said.type === 'usage') report(usage, requested.draft, said.audioSeconds)
          yield said
        }
        status = 'done'
      } finally {
        // a stream has no end of its own: it is told to stop
        requested.end(running.signal.aborted ? 'done' : status)
        if (requested.draft.estimated) requested.tell()
      }
    },
  }
}

function report(usage: Usage, draft: Draft<STTUsage>, audioSeconds: number): void {
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

import type { Transcript, VoiceSegment } from 'antiphon'
import { agreement } from './agreement.js'
import { Lull } from './lull.js'
import type { Hypothesis } from './model.js'
import { Recording } from './recording.js'

/** Resolves, with null if it likes, as soon as `signal` aborts. */
export type Recognise = (samples: Float32Array<ArrayBuffer>, signal: AbortSignal) => Promise<Hypothesis | null>

export interface Ear {
  tell(transcript: Transcript): void
  /** The recogniser has failed: nothing more is told. */
  fail(error: unknown): void
}

/** Where a voice ended, and up to where the silence after it is listened to. */
interface End {
  readonly voice: number
  readonly sound: number
}

interface Utterance {
  readonly from: number
  /** null while the voice sounds. */
  end: End | null
  draft: Draft | null
  /** What was told of it so far. */
  told: string
}

interface Draft extends Hypothesis {
  readonly upTo: number
}

/** A draft that is being made. */
interface Work {
  readonly utterance: Utterance
  readonly upTo: number
  readonly abandon: AbortController
  readonly done: Promise<void>
}

const RATE = 16_000
const samples = (ms: number) => Math.round((ms * RATE) / 1_000)

/** Heard before the VAD's start: it needs some sound to be sure, and words begin softly. */
const PRE_ROLL = samples(400)
/** Kept while nobody speaks: a VAD says late when a voice began. */
const MEMORY = samples(2_000)
/** Heard after the VAD's end: words end softly, too. */
const TAIL = samples(250)
/** A draft that has heard so much of the silence after a voice has heard all of it. */
const SILENCE_HEARD = samples(100)
/** Between two drafts of an utterance that goes on. */
const DRAFT_EVERY = samples(500)
/** After so much quiet there is a draft at once: if the voice has ended, the words are ready when the VAD says so. */
const LULL = samples(160)
/** The model makes words up in the silences of long sound. */
const LONGEST = samples(15_000)
/** Where a longer one may be cut, and how long a silence is looked for there. */
const CUT_WINDOW = samples(5_000)
const CUT_SILENCE = samples(200)
/** Mean log-probability below which it was no speech. */
const NOISE = -0.9

/**
 * Turns a recording, and what a VAD says of it, into transcripts. It counts time in samples, so that a slow recogniser
 * changes when something is told, never what.
 */
export class Listener {
  readonly #recognise: Recognise
  readonly #ear: Ear
  readonly #recording = new Recording()
  readonly #lull = new Lull()
  readonly #utterances: Utterance[] = []
  /** Where the last utterance ended: the next one begins no earlier. */
  #spoken = 0
  #nextDraft = 0
  #work: Work | null = null
  #ended = false

  constructor(recognise: Recognise, ear: Ear) {
    this.#recognise = recognise
    this.#ear = ear
  }

  hear(sound: Int16Array): void {
    this.#recording.append(sound)
    this.#lull.hear(sound)
    this.#advance()
  }

  voice({ type, at }: VoiceSegment): void {
    if (type === 'start') this.#begin(samples(at) - PRE_ROLL)
    else if (type === 'end') this.#end(samples(at), samples(at) + TAIL)
    else if (this.#open) {
      this.#end(this.#recording.length, this.#recording.length)
      this.#begin(this.#recording.length)
    }
    this.#advance()
  }

  /** The recording is over. Settles when all that was said has been told, or the recogniser has failed. */
  async finish(): Promise<void> {
    this.#ended = true
    if (this.#open) this.#end(this.#recording.length, this.#recording.length)
    this.#advance()
    while (this.#work) await this.#work.done
  }

  get #open(): Utterance | null {
    const last = this.#utterances.at(-1)
    return last && !last.end ? last : null
  }

  #begin(from: number): void {
    if (this.#open) return
    this.#utterances.push({ from: Math.max(from, this.#spoken), end: null, draft: null, told: '' })
    this.#nextDraft = Math.max(from, this.#spoken) + PRE_ROLL + DRAFT_EVERY
    this.#lull.reset()
  }

  #end(voice: number, sound: number): void {
    const open = this.#open
    if (!open) return
    open.end = { voice, sound }
    this.#spoken = Math.max(sound, open.from)
  }

  /** Does what is due. At most one piece of work at a time. */
  #advance(): void {
    if (this.#work) {
      if (this.#isOvertaken(this.#work)) this.#work.abandon.abort()
      return
    }
    const utterance = this.#utterances[0]
    const { length } = this.#recording
    if (!utterance) this.#recording.forget(length - MEMORY)
    else if (this.#isWhole(utterance)) this.#conclude(utterance, utterance.end)
    else if (utterance.end) return
    else if (length - utterance.from >= LONGEST) this.#split(utterance)
    else if (length >= this.#nextDraft || this.#mayBeOver(utterance.draft?.upTo ?? 0)) this.#start(utterance, length)
  }

  #isWhole(utterance: Utterance): utterance is Utterance & { end: End } {
    return utterance.end !== null && (this.#ended || this.#recording.length >= utterance.end.sound)
  }

  /** It has become quiet, and a draft that ends at `upTo` has not heard that. */
  #mayBeOver(upTo: number): boolean {
    const { lasted } = this.#lull
    return lasted >= LULL && upTo < this.#recording.length - lasted + SILENCE_HEARD
  }

  /** Whether a draft that ends at `upTo` has heard all of the utterance, and nothing of the next. */
  #fits(upTo: number, { voice, sound }: End): boolean {
    const next = this.#utterances[1]?.from ?? Number.POSITIVE_INFINITY
    return upTo >= Math.min(voice + SILENCE_HEARD, sound) && upTo <= Math.max(next, sound)
  }

  /** A draft is of no use any more, and another one must wait for it. */
  #isOvertaken({ utterance, upTo }: Work): boolean {
    if (this.#isWhole(utterance)) return !this.#fits(upTo, utterance.end)
    return utterance.end === null && this.#mayBeOver(upTo)
  }

  #conclude(utterance: Utterance, end: End): void {
    const { draft, from } = utterance
    if (end.sound > from && !(draft && this.#fits(draft.upTo, end))) return this.#start(utterance, end.sound)
    this.#utterances.shift()
    this.#recording.forget(end.sound - PRE_ROLL)
    if (end.sound > from) this.#tellFinal(draft!, end.sound - from)
    this.#advance()
  }

  /** Ends an utterance that is too long for the model at its quietest place, and begins another one there. */
  #split(utterance: Utterance): void {
    const longest = utterance.from + LONGEST
    const cut = this.#recording.quietest(longest - CUT_WINDOW, longest, CUT_SILENCE)
    utterance.draft = null
    this.#end(cut, cut)
    this.#begin(cut)
    this.#advance()
  }

  #start(utterance: Utterance, upTo: number): void {
    const abandon = new AbortController()
    const done = this.#draft(utterance, upTo, abandon.signal).then(
      () => {
        this.#work = null
        this.#advance()
      },
      (error: unknown) => {
        this.#work = null
        this.#utterances.length = 0
        this.#ear.fail(error)
      },
    )
    this.#work = { utterance, upTo, abandon, done }
  }

  async #draft(utterance: Utterance, upTo: number, signal: AbortSignal): Promise<void> {
    const began = this.#recording.length
    const hypothesis = await this.#recognise(this.#recording.slice(utterance.from, upTo), signal)
    // A recogniser that is slow is asked less often: most of its time stays free for final answers.
    const took = this.#recording.length - began
    this.#nextDraft = began + Math.max(DRAFT_EVERY, took * 3)
    if (hypothesis === null || signal.aborted) return
    const last = utterance.draft
    utterance.draft = { ...hypothesis, upTo }
    if (!utterance.end && last) this.#tellInterim(utterance, agreement(last.text, sure(hypothesis)))
  }

  #tellInterim(utterance: Utterance, text: string): void {
    if (text === '' || text === utterance.told) return
    utterance.told = text
    this.#ear.tell({ type: 'transcript', text, final: false })
  }

  /** Noise is told as well, as no words, so that nobody waits for any. */
  #tellFinal(draft: Draft, length: number): void {
    this.#ear.tell({ type: 'transcript', text: sure(draft), final: true, confidence: Math.exp(draft.logProbability) })
    this.#ear.tell({ type: 'usage', audioSeconds: length / RATE })
  }
}

const sure = ({ text, logProbability }: Hypothesis) => (logProbability < NOISE ? '' : text)

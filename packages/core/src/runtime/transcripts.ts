import type { TranscriptEvent } from '../api/session.js'
import type { ConversationEvent, Id } from '../conversation/protocol.js'
import type { Speech } from '../conversation/work.js'

/** Shows words as they are heard: as the line plays them, or, in a session without a voice, as they are written. */
export class Transcripts {
  readonly #put: (event: TranscriptEvent) => void
  #shown: { readonly speech: Id; readonly text: string } | null = null

  constructor(put: (event: TranscriptEvent) => void) {
    this.#put = put
  }

  show(speech: Id, text: string, final: boolean): void {
    const shown = this.#shown?.speech === speech
    // of a speech that was cut before its first word there is nothing to show, nor to take back
    if (text === '' && !shown) return
    this.#shown = final ? null : { speech, text }
    this.#put({ type: 'agent-transcript', speech, text, final })
  }

  /** Without a voice, what is written is heard. */
  write({ id, text, heard }: Speech): void {
    const words = text.slice(0, heard).trim()
    if (words === '' || (this.#shown?.speech === id && this.#shown.text === words)) return
    this.show(id, words, false)
  }

  writtenToTheEnd(event: ConversationEvent): void {
    if (event.type === 'speech-end') this.show(event.speech, event.heard, true)
  }
}

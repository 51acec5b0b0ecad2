import type { VAD, VADStream } from '../api/models.js'
import { unlessAborted } from '../audio/flow.js'
import { durationOf, Framer } from '../audio/frames.js'
import { RateConverter } from '../audio/resample.js'
import type { Tape } from './tape.js'

export interface ListenOptions {
  readonly vad: VAD
  readonly tape: Tape
  readonly signal: AbortSignal
  /** The `duration` ms of the line from `at` on are a voice with this probability. */
  readonly judged: (probability: number, at: number, duration: number) => void
}

/** Has a VAD judge a tape, frame by frame, until the tape ends or the signal aborts. Rejects as the VAD fails. */
export async function listen(options: ListenOptions): Promise<void> {
  const { vad, signal } = options
  const opening = Promise.resolve(vad.open())
  const stream = await unlessAborted(opening, signal)
  if (stream) await judge(stream, options)
  else await closeLate(opening)
}

async function judge(stream: VADStream, { vad, tape, signal, judged }: ListenOptions): Promise<void> {
  try {
    const framer = new Framer(stream.frameSize)
    const converter = new RateConverter(vad.sampleRate)
    const duration = durationOf(stream.frameSize, vad.sampleRate)
    let at = tape.start
    let end = at
    for await (const piece of tape.read(signal)) {
      tape.settle()
      // Where pieces were lost, the sound goes on further behind.
      at += piece.at - end
      end = piece.at + durationOf(piece.audio.samples.length, piece.audio.rate)
      for (const frame of framer.push(converter.push(piece.audio))) {
        const probability = await stream.process(frame)
        if (signal.aborted) return
        judged(probability, at, duration)
        at += duration
      }
    }
  } finally {
    await stream.close?.()
  }
}

/** Whoever asked for it has left: it must be closed all the same. */
async function closeLate(opening: Promise<VADStream>): Promise<void> {
  const stream = await opening
  await stream.close?.()
}

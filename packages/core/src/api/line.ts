import type { Audio } from './models.js'

/** Where a session hears and is heard: a browser, a phone call, a microphone, a test. */
export interface Line {
  readonly name: string
  /** Playing can stop and go on at the same sample. */
  readonly canPause: boolean
  /** Playing can become quieter without stopping. */
  readonly canDuck: boolean
  /** What the caller says. Ends when the caller leaves. */
  readonly incoming: AsyncIterable<Audio>
  /** Opens a track for one speech; tracks are played one after another. */
  open(options: TrackOptions): Track
  close(): Promise<void> | void
}

export interface TrackOptions {
  /** Names the speech; what is heard of it stands in the history under the same id. */
  readonly speech: string
  /** Hz. */
  readonly sampleRate: number
  /** To be called once. */
  readonly ended: (end: TrackEnd) => void
}

/** `position`: ms of the track that were heard. */
export interface TrackEnd {
  readonly position: number
  readonly cleared: boolean
}

/**
 * One speech on its way to the caller's ear. What is written before `play` waits. After `clear` nothing more is heard, and
 * `ended` is called as soon as the line knows how far it was heard; so it is when the whole of an ended track was played.
 */
export interface Track {
  /** Resolves when there is room for more. */
  write(samples: Int16Array): Promise<void> | void
  /** No more is written. */
  end(): void
  play(): void
  pause(): void
  resume(): void
  /** Lower (true) or normal (false) loudness; only on lines that `canDuck`. */
  duck?(on: boolean): void
  clear(): void
  /** ms heard so far. */
  readonly position: number
}

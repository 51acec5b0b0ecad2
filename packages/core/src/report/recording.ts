import { UsageError } from '../api/errors.js'
import type { RecordedStep, Recording } from '../api/report.js'
import { Conversation } from '../conversation/conversation.js'
import type { Seen } from './seen.js'

/**
 * Everything that a recorded conversation did, step by step: the same commands as it gave, for they follow from nothing but
 * the recording.
 *
 * ```ts
 * const recording = JSON.parse(await readFile('call.json', 'utf8'))
 * for (const { at, input, commands } of replay(recording)) console.log(at, input.type, commands)
 * ```
 *
 * @throws {UsageError} when it is no recording, or one of another version.
 */
export function* replay(recording: Recording): Generator<RecordedStep, void, void> {
  for (const { at, input, commands } of relive(recording)) yield { at, input, commands }
}

/** The steps of a recording with the state after each, which the next step changes. */
export function* relive(recording: Recording): Generator<Seen, void, void> {
  const { settings, agent, entries } = checked(recording)
  const conversation = new Conversation(settings, agent)
  for (const { at, input } of entries) {
    yield { at, input, commands: conversation.receive(input, at), state: conversation.state }
  }
}

function checked(recording: unknown): Recording {
  const { version, settings, agent, entries } = (recording ?? {}) as Partial<Record<keyof Recording, unknown>>
  if (version !== 1) {
    throw new UsageError(
      version === undefined
        ? 'this is no recording: give what session.recording was, as it is or read back with JSON.parse'
        : `this recording is of version ${String(version)}; this version of antiphon reads version 1`,
    )
  }
  if (typeof settings !== 'object' || typeof agent !== 'object' || !Array.isArray(entries))
    throw new UsageError('this recording is incomplete: it needs `settings`, `agent` and `entries`')
  return recording as Recording
}

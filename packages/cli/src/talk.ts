import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { embedded, type Loaded } from '@antiphon/embedded'
import { microphone, type RecordedLine, recordedLine } from '@antiphon/local'
import { type AgentSession, type Line, type SessionOptions, start, systemClock } from 'antiphon'
import { assertLaws } from 'antiphon/testing'
import { Chronicle } from './chronicle.js'
import { loadModule, type TalkModule } from './module.js'
import { score } from './score.js'
import type { Style } from './style.js'

export interface TalkOptions {
  /** Path of the module; see `TalkModule`. */
  readonly module: string
  /** Path of a wav file that is the caller, instead of the module's own. */
  readonly caller?: string | undefined
  /** Where a call with a recorded caller is written: stereo, the caller left, the agent right. */
  readonly out?: string | undefined
  readonly style: Style
  readonly write: (line: string) => void
  /** Hangs up. */
  readonly signal?: AbortSignal
}

/**
 * Holds the conversation that a module describes, and tells it line by line.
 *
 * @throws {UsageError} when the module cannot be used; {Error} when the conversation breaks a law, or failed; what the
 * module's `check` throws.
 */
export async function talk({ module: path, caller, out, style, write, signal }: TalkOptions): Promise<void> {
  const module = await loadModule(path)
  const options: Omit<SessionOptions, 'line'> = { ...embedded(), ...module.options, ...(signal && { signal }) }
  const models = loadedModels(options)
  try {
    const [line] = await Promise.all([openLine(module, caller), ...models.map((model) => model.ready())])
    write(style.dim(`        ${[module.agent.name, ...namesOf(options), line.name].join(' · ')}`))
    const session = start(module.agent, { ...options, line })
    await follow(session, { style, write })
    if (out && isRecorded(line)) {
      await save(line, out)
      write(style.dim(`        written to ${out}: the caller left, the agent right`))
    }
    assertLaws(session)
    await module.check?.(session)
    write(
      `        ${style.green('✓')} as it should be: the laws of conversation hold${module.check ? ', and so does the check' : ''}`,
    )
  } finally {
    await Promise.all(models.map((model) => model.close()))
  }
}

async function openLine({ caller: own }: TalkModule, path: string | undefined): Promise<Line> {
  const caller = path ?? (typeof own === 'function' ? await own() : own)
  return caller === undefined ? microphone() : recordedLine({ caller })
}

const isRecorded = (line: Line): line is RecordedLine => 'save' in line

async function save(line: RecordedLine, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await line.save(path)
}

/** Tells the conversation until it is over. */
async function follow(session: AgentSession, { style, write }: Pick<TalkOptions, 'style' | 'write'>): Promise<void> {
  const began = systemClock.now()
  const chronicle = new Chronicle(session, { style, write, began, clock: systemClock })
  const { error } = await session.closed
  write('')
  for (const row of score(chronicle.voices, systemClock.now() - began, style)) write(row)
  write('')
  const waits = [...chronicle.waits].sort((a, b) => a - b)
  if (waits.length > 0) {
    const [median, longest] = [waits[waits.length >> 1]!, waits.at(-1)!]
    write(
      `        answers began ${Math.round(median)} ms after the caller's last sound (the longest ${Math.round(longest)} ms)`,
    )
  }
  const overs = chronicle.talkOvers
  if (overs > 0) write(`        the caller talked over the agent ${overs === 1 ? 'once' : `${overs} times`}`)
  if (error) throw new Error(`the conversation failed: ${error.message}`)
}

const modelsOf = ({ vad, stt, llm, tts }: Omit<SessionOptions, 'line'>) =>
  [vad, stt, llm, tts].filter((model) => model !== undefined)

const namesOf = (options: Omit<SessionOptions, 'line'>) => modelsOf(options).map(({ name }) => name)

/** The models that can be loaded before they are needed. */
function loadedModels(options: Omit<SessionOptions, 'line'>): Loaded[] {
  return modelsOf(options).filter((model): model is typeof model & Loaded => 'ready' in model && 'close' in model)
}

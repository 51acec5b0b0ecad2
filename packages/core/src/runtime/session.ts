import { type Agent, isAgent, isTask } from '../api/agent.js'
import type { ChatContext } from '../api/chat-context.js'
import { SessionClosed, UsageError } from '../api/errors.js'
import type { Explanation, Recording, SessionReport, SessionUsage } from '../api/report.js'
import type {
  AgentSession,
  LogEntry,
  ReplyOptions,
  RunResult,
  SayOptions,
  SessionEvent,
  SessionOptions,
  SpeechHandle,
} from '../api/session.js'
import { chatContext } from '../context/chat-context.js'
import { type Item, isShown } from '../conversation/history.js'
import type { AgentState, CloseReason, Input, UserState } from '../conversation/protocol.js'
import { type Setup, setUp } from './options.js'
import { reportOf } from './reporting.js'
import { Runs } from './runs.js'
import { Runtime } from './runtime.js'
import { checkReply, checkSaid, checkTyped, checkVerdict } from './session-input.js'

/**
 * Starts a conversation: `agent` hears and is heard on the line of the options. It begins when the code that runs at
 * present has ended, so that whoever listens from here on misses nothing.
 *
 * Without a `tts` the agent writes; without an `stt` it is written to.
 *
 * @throws {UsageError} that says what is wrong with the options, and what to do about it.
 */
export function start<UserData = unknown>(
  agent: Agent<UserData>,
  options: SessionOptions<UserData>,
): AgentSession<UserData> {
  return new Session<UserData>(agent as Agent, setUp(agent as Agent, options as SessionOptions))
}

/** The public face of a runtime. */
class Session<UserData> implements AgentSession<UserData> {
  readonly id: string
  readonly userData: UserData
  readonly #runtime: Runtime
  readonly #runs: Runs

  constructor(root: Agent, setup: Setup) {
    this.id = setup.id
    this.userData = setup.userData as UserData
    this.#runtime = new Runtime(this as AgentSession, root, setup)
    this.#runs = new Runs(this.#runtime)
    queueMicrotask(() => {
      this.#runtime.begin()
      this.#runtime.events.open()
    })
  }

  get agent(): Agent {
    return this.#runtime.agents.holding(this.#runtime.state)
  }

  get agentState(): AgentState {
    return this.#runtime.state.announced.agent
  }

  get userState(): UserState {
    return this.#runtime.state.announced.user
  }

  get history(): readonly Item[] {
    return this.#runtime.state.history.filter(isShown)
  }

  get chatContext(): ChatContext {
    return chatContext(this.history)
  }

  get log(): readonly LogEntry[] {
    return this.#runtime.log
  }

  get recording(): Recording {
    const { setup, root, log } = this.#runtime
    return { version: 1, settings: setup.settings, agent: root, entries: [...log] }
  }

  get usage(): SessionUsage {
    return this.#runtime.reporter.spent
  }

  get closed(): AgentSession['closed'] {
    return this.#runtime.closed.promise
  }

  say(text: string | AsyncIterable<string>, options: SayOptions = {}): SpeechHandle {
    const { allowInterruptions: interruptible = true, priority = 'normal', addToHistory: record = true } = options
    checkSaid(text, options)
    const { replies, generations } = this.#runtime
    const reply = this.#runtime.id('reply')
    const words = typeof text === 'string' ? text : null
    const handle = replies.open(reply, { interruptible, withoutTools: [] }, () => {
      this.#runtime.request({ type: 'say', reply, text: words, interruptible, priority, record }, reply)
    })
    if (typeof text !== 'string') generations.recite(reply, text)
    return handle
  }

  generateReply(options: ReplyOptions = {}): SpeechHandle {
    const { instructions = null, userInput = null, toolChoice: tools = 'auto', priority = 'normal' } = options
    const { allowInterruptions: interruptible = true, withoutTools = [] } = options
    checkReply(this.agent, options)
    const reply = this.#runtime.id('reply')
    const input: Input = { type: 'reply', reply, instructions, userInput, tools, interruptible, priority }
    return this.#runtime.replies.open(reply, { interruptible, withoutTools }, () => this.#runtime.request(input, reply))
  }

  interrupt({ force = false }: { readonly force?: boolean } = {}): void {
    this.#runtime.request({ type: 'interrupt', reply: null, force }, 'interrupt')
  }

  text(text: string, { interrupt = true }: { readonly interrupt?: boolean } = {}): void {
    checkTyped(text)
    this.#refuseWhenClosing()
    this.#runtime.send({ type: 'user-text', text, interrupt })
  }

  run<Output>(text?: string): Promise<RunResult<Output>> {
    return this.#runs.run(() => (text === undefined ? undefined : this.text(text))) as Promise<RunResult<Output>>
  }

  claimUserTurn(): Disposable {
    this.#refuseWhenClosing()
    this.#runtime.send({ type: 'user-claim', on: true })
    let claimed = true
    return {
      [Symbol.dispose]: () => {
        if (claimed) this.#runtime.send({ type: 'user-claim', on: false })
        claimed = false
      },
    }
  }

  judgeOverlap(verdict: 'backchannel' | 'interruption'): void {
    checkVerdict('session.judgeOverlap(verdict)', verdict)
    this.#runtime.send({ type: 'user-overlap', verdict })
  }

  async commitUserTurn({ reply = true }: { readonly reply?: boolean } = {}): Promise<string> {
    this.#refuseWhenClosing()
    const { state, watch } = this.#runtime
    this.#runtime.send({ type: 'turn-commit', text: null, reply })
    const turn = state.user.turn?.id ?? this.#runtime.lastTurn?.turn
    const ended = await watch.until(() => {
      if (state.user.turn?.id === turn && !this.#runtime.over) return undefined
      return { text: this.#runtime.lastTurn?.turn === turn ? this.#runtime.lastTurn?.text : null }
    })
    return ended.text ?? ''
  }

  clearUserTurn(): void {
    this.#runtime.send({ type: 'turn-clear' })
    this.#runtime.clearTranscript()
  }

  updateAgent(agent: Agent): void {
    if (!isAgent(agent)) throw new UsageError('updateAgent(agent) needs an agent: make it with agent({ instructions })')
    if (isTask(agent))
      throw new UsageError(`updateAgent: "${agent.name}" is a task; await it with run.task(task) instead`)
    this.#runtime.request({ type: 'agent-update', agent: this.#runtime.agents.ref(agent) }, 'agent-update')
  }

  async close({
    drain = false,
    reason = 'application',
  }: {
    readonly drain?: boolean
    readonly reason?: CloseReason
  } = {}) {
    this.#runtime.send({ type: drain ? 'drain' : 'close', reason })
    await this.closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  explain(): Explanation[] {
    return this.#runtime.reporter.explain(!this.#runtime.over)
  }

  report(): SessionReport {
    return reportOf(this.#runtime, this.history)
  }

  on<Type extends SessionEvent['type']>(
    type: Type,
    listener: (event: Extract<SessionEvent, { type: Type }>) => unknown,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): void {
    this.#runtime.events.on(type, listener as (event: SessionEvent) => unknown, signal)
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent> {
    return this.#runtime.events.read()
  }

  #refuseWhenClosing(): void {
    const { phase } = this.#runtime.state
    if (this.#runtime.over || phase === 'closing' || phase === 'closed') throw new SessionClosed()
  }
}

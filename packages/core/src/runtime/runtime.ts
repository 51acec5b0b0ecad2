import type { Agent } from '../api/agent.js'
import { SessionClosed, UsageError } from '../api/errors.js'
import type { AgentSession, ErrorEvent, LogEntry, SessionEvent } from '../api/session.js'
import { Conversation } from '../conversation/conversation.js'
import type { AgentRef, Command, ConversationEvent, Failure, Id, Input } from '../conversation/protocol.js'
import type { State } from '../conversation/state.js'
import type { Hearing } from '../hearing/hear.js'
import { Reporter } from '../report/reporter.js'
import type { Usage } from '../report/usage.js'
import { Agents } from './agents.js'
import { Alarm, within } from './alarm.js'
import { Calls } from './calls.js'
import { Deferred } from './deferred.js'
import { listen } from './ear.js'
import { Events } from './events.js'
import { causeOf, failureOf, messageOf } from './failure.js'
import { Generations } from './generations.js'
import { type Hands, perform } from './interpreter.js'
import type { Kernel } from './kernel.js'
import { Mailbox } from './mailbox.js'
import type { Setup } from './options.js'
import { Replies } from './replies.js'
import { Scope } from './scope.js'
import { Speeches } from './speeches.js'
import { Tasks } from './tasks.js'
import { Transcripts } from './transcripts.js'
import { Watch } from './watch.js'

type Closed = Extract<ConversationEvent, { type: 'closed' }>
type Refusal = Extract<Command, { type: 'refuse' }>

/**
 * Carries out what the conversation asks for, and tells it what became of that. It decides nothing.
 *
 * One input at a time is handled to its end, and what it sets going answers with inputs of its own. The application's code
 * never runs in the midst of that, so that whatever it asks of the session is answered at once.
 */
export class Runtime implements Kernel {
  readonly session: AgentSession
  readonly setup: Setup
  readonly agents: Agents
  readonly scope = new Scope('session')
  readonly watch = new Watch()
  readonly events = new Events()
  readonly log: LogEntry[] = []
  readonly reporter: Reporter
  /** The agent that it was started with. */
  readonly root: AgentRef
  readonly date = new Date().toISOString()
  readonly replies = new Replies(this)
  readonly tasks = new Tasks(this)
  readonly generations = new Generations(this, this.replies)
  readonly closed = new Deferred<Awaited<AgentSession['closed']>>()
  /** The user's turn that ended last. */
  lastTurn: Extract<ConversationEvent, { type: 'user-turn-end' }> | null = null
  /** The reply that ended last. */
  lastReply: Extract<ConversationEvent, { type: 'reply-end' }> | null = null
  /** How it ended, once it has; `finished`: all that was at work has stopped, too. */
  ending: { readonly at: number; readonly event: Closed; finished: boolean } | null = null
  readonly #conversation: Conversation
  readonly #mailbox = new Mailbox<Input>((input) => this.#handle(input))
  readonly #transcripts = new Transcripts((event) => this.tell(event))
  readonly #speeches = new Speeches(this, (speech, text, final) => this.#transcripts.show(speech, text, final))
  readonly #alarm: Alarm
  readonly #hands: Hands
  readonly #ids = new Map<string, number>()
  #refusal: Refusal | null = null
  #hearing: Hearing | null = null
  #begun = false

  /** @throws {UsageError} when `root` lacks a model. */
  constructor(session: AgentSession, root: Agent, setup: Setup) {
    this.session = session
    this.setup = setup
    this.agents = new Agents(setup)
    this.root = this.agents.ref(root)
    this.#conversation = new Conversation(setup.settings, this.root)
    this.reporter = new Reporter({
      now: () => setup.clock.now(),
      tell: (event) => this.tell(event),
      failed: (error) => this.report('session', failureOf(error, 'bug')),
    })
    this.#alarm = new Alarm(setup.clock, () => this.send({ type: 'tick' }))
    this.#hands = {
      generations: this.generations,
      speeches: this.#speeches,
      tasks: this.tasks,
      calls: new Calls(this, this.tasks, this.replies),
      flushTranscript: () => this.#hearing?.flush(),
      refuse: (refusal) => {
        this.#refusal = refusal
      },
      wake: (at) => this.#alarm.set(this.over ? null : at),
      emit: (event) => this.#emit(event),
    }
  }

  get state(): State {
    return this.#conversation.state
  }

  get usage(): Usage {
    return this.reporter.usage
  }

  get over(): boolean {
    return this.ending !== null
  }

  /** Begins the conversation. Whoever asks something of it before it would begin by itself begins it. */
  begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#mailbox.put({ type: 'start' })
    this.#hearing = listen(this)
    const { signal } = this.setup
    if (signal?.aborted) this.#abort()
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  readonly #abort = () => this.send({ type: 'close', reason: 'application' })

  // ── inputs ───────────────────────────────────────────────────────────────────────────────────

  send(input: Input): void {
    this.begin()
    this.#mailbox.put(input)
    this.#settle()
  }

  request(input: Input, id: Id): void {
    if (this.#mailbox.busy) {
      throw new UsageError(
        `a line or a voice asks for "${input.type}" while it is asked for something itself: do it later`,
      )
    }
    this.begin()
    this.#refusal = null
    this.#mailbox.put(input)
    const refusal = this.#refusal as Refusal | null
    this.#settle()
    if (refusal?.request === id) throw errorOf(refusal)
    if (this.over) throw new SessionClosed()
  }

  clearTranscript(): void {
    this.#hearing?.clear()
  }

  id(kind: string): Id {
    const number = (this.#ids.get(kind) ?? 0) + 1
    this.#ids.set(kind, number)
    return `${kind}-${number}`
  }

  #handle(input: Input): void {
    if (this.over) return
    const at = this.setup.clock.now()
    this.log.push({ at, input })
    try {
      const commands = this.#conversation.receive(input, at)
      for (const command of commands) perform(this.#hands, command)
      this.reporter.see({ at, input, commands, state: this.state })
      const [sounding] = this.state.speeches
      if (this.setup.settings.voice === 'none' && sounding) this.#transcripts.write(sounding)
    } catch (error) {
      this.crash(error)
    }
  }

  /** What follows when all has been handled: promises about the state are kept, and the application is told. */
  #settle(): void {
    if (this.#mailbox.busy) return
    this.watch.check()
    this.events.tell()
  }

  // ── what comes out ───────────────────────────────────────────────────────────────────────────

  #emit(event: ConversationEvent): void {
    this.replies.see(event)
    this.#speeches.see(event)
    if (this.setup.settings.voice === 'none') this.#transcripts.writtenToTheEnd(event)
    if (event.type === 'user-turn-end') this.lastTurn = event
    if (event.type === 'reply-end') this.lastReply = event
    if (event.type === 'agent-change') this.#hearing?.rewire()
    if (event.type === 'error') this.events.put({ ...event, cause: causeOf(event.error) })
    else if (event.type === 'closed') void this.#end(event)
    else this.events.put(event)
  }

  report(source: ErrorEvent['source'], error: Failure): void {
    this.tell({ type: 'error', source, error, cause: causeOf(error) })
  }

  tell(event: SessionEvent): void {
    this.events.put(event)
    this.#settle()
  }

  // ── the end ──────────────────────────────────────────────────────────────────────────────────

  crash(error: unknown): void {
    const failure: Failure = { blame: 'bug', message: messageOf(error), retryable: false }
    this.events.put({ type: 'error', source: 'session', error: failure, cause: error })
    if (!this.over) void this.#end({ type: 'closed', reason: 'error', error: failure })
    this.#settle()
  }

  /** Stops all that goes on and waits for it, but not for ever. Only then is it told that the session is closed. */
  async #end(event: Closed): Promise<void> {
    const ending = { at: this.setup.clock.now(), event, finished: false }
    this.ending = ending
    const { clock, settings, line, signal } = this.setup
    signal?.removeEventListener('abort', this.#abort)
    this.#alarm.set(null)
    this.#speeches.end()
    this.tasks.end()
    const left = Promise.all([this.scope.leave(new SessionClosed()), this.#hearing?.ended])
    const stopped = await within(clock, settings.limits.abort, left)
    if (!stopped) this.#reportLeft(this.scope.running)
    const closing = Promise.resolve()
      .then(() => line.close())
      .catch((error: unknown) => this.report('line', failureOf(error, 'provider')))
    if (!(await within(clock, settings.limits.line, closing))) this.#reportLeft([`line ${line.name}`])
    this.usage.close()
    ending.finished = true
    this.watch.check()
    this.events.put(event)
    this.events.end()
    this.closed.resolve({ reason: event.reason, error: event.error })
  }

  #reportLeft(names: readonly string[]): void {
    const message = `the session has ended, and these go on although they were asked to stop: ${names.join(', ')}`
    this.report('session', { blame: 'caller', message, retryable: false })
  }
}

/** What the application is told when it is refused something. */
function errorOf({ reason, because }: Refusal): Error {
  return because === 'closing' ? new SessionClosed(reason) : new UsageError(reason)
}

import type { Agent } from '../api/agent.js'
import { type Blame, UsageError } from '../api/errors.js'
import type { Failover, GenerateRequest, LLMPart, ToolSpec } from '../api/models.js'
import { abortable, unlessAborted } from '../audio/flow.js'
import { type Prelude, preludeOf } from '../context/prelude.js'
import type { Message } from '../conversation/history.js'
import type { Command, Failure, Id } from '../conversation/protocol.js'
import { meterModel } from '../report/meters.js'
import { cancelSpec } from './cancelling.js'
import { failoverOf, failureOf, messageOf } from './failure.js'
import type { Kernel } from './kernel.js'
import type { Replies } from './replies.js'
import type { Scope } from './scope.js'
import { traitsOf } from './tool-input.js'
import { toolSpecs } from './tool-specs.js'

type Generate = Extract<Command, { type: 'generate' }>

/** Where the words of a generation come from. */
interface Source {
  readonly name: string
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Who is to blame when it fails. */
  readonly blame: Blame
}

/** Added for an agent that begins: nobody has said anything to it that it could answer. */
const opening = 'You have just taken over the conversation. Speak first; do not wait for the caller.'

/** The requests to language models that go on, and the texts that the application lets somebody say piece by piece. */
export class Generations {
  readonly #kernel: Kernel
  readonly #replies: Replies
  readonly #running = new Map<Id, Scope>()
  readonly #callIds = new Set<Id>()
  readonly #preludes = new Map<Agent, Prelude>()
  #prediction: Scope | null = null

  constructor(kernel: Kernel, replies: Replies) {
    this.#kernel = kernel
    this.#replies = replies
  }

  generate(command: Generate): void {
    const { generation } = command
    const agent = this.#kernel.agents.get(command.agent)
    const llm = this.#kernel.agents.llm(agent)
    const tools = this.#toolsFor(agent, command)
    const run = async (signal: AbortSignal) => {
      const request = await unlessAborted(this.#request(agent, command, tools), signal)
      if (!request || !llm) return
      const failedOver = (failover: Failover) => this.#kernel.tell(failoverOf('llm', failover))
      const counted = meterModel(llm, this.#kernel.usage, { generation, reply: command.reply })
      for await (const part of counted.generate(request, { signal, failedOver })) this.#pass(generation, agent, part)
    }
    this.#start(generation, { name: `language model ${llm?.name ?? ''}`, run, blame: 'provider' })
  }

  /** What the application says piece by piece is a generation that no model makes. */
  recite(generation: Id, text: AsyncIterable<string>): void {
    const run = async (signal: AbortSignal) => {
      for await (const piece of abortable(text, signal)) {
        if (typeof (piece as unknown) !== 'string')
          throw new UsageError('session.say(text): the pieces of the text must be strings')
        this.#kernel.send({ type: 'model-text', generation, text: piece })
      }
    }
    this.#start(generation, { name: 'text of session.say', run, blame: 'caller' })
  }

  cancel(generation: Id): void {
    this.#running.get(generation)?.abort()
    this.#running.delete(generation)
  }

  /** Asks the end-of-turn model. It is asked one thing at a time: what it was asked before has become pointless. */
  predict({ prediction, text }: Extract<Command, { type: 'predict-turn-end' }>): void {
    const { turnDetector } = this.#kernel.setup
    this.#prediction?.abort()
    const answer = (probability: number | null) =>
      this.#kernel.send({ type: 'turn-prediction', prediction, probability })
    this.#prediction = this.#kernel.scope.start({
      name: `end-of-turn model ${turnDetector?.name ?? ''}`,
      run: (signal) => turnDetector?.predict({ text, messages: this.#lastMessages() }, { signal }) ?? null,
      ended: answer,
      failed: (error, signal) => {
        if (signal.aborted) return
        this.#kernel.report('turn-detector', failureOf(error, 'provider'))
        answer(null)
      },
    })
  }

  #start(generation: Id, { name, run, blame }: Source): void {
    const end = (signal: AbortSignal, error?: Failure) => {
      if (signal.aborted) return
      this.#running.delete(generation)
      this.#kernel.send({ type: 'model-end', generation, ...(error && { error }) })
    }
    const scope = this.#kernel.scope.start({
      name,
      run,
      ended: (_, signal) => end(signal),
      failed: (error, signal) => end(signal, failureOf(error, blame)),
    })
    this.#running.set(generation, scope)
  }

  /** The tools of the agent, less what its reply may not use; and a way to stop what it has set going. */
  #toolsFor(agent: Agent, { generation, reply }: Generate): readonly ToolSpec[] {
    const { state } = this.#kernel
    const tools = toolSpecs(agent).filter(({ name }) => !this.#replies.hides(reply, name))
    const made = state.generations.find(({ id }) => id === generation)
    // an opening that is prepared belongs to a frame that is not there yet
    const cancel = made && (made.guess?.task ?? null) === null ? cancelSpec(state, made.frame) : null
    return cancel ? [...tools, cancel] : tools
  }

  async #request(agent: Agent, command: Generate, tools: readonly ToolSpec[]): Promise<GenerateRequest> {
    const own = await instructionsOf(agent, this.#kernel)
    const before = this.#preludeOf(agent)
    const parts = [own, before.instructions, command.opening ? opening : '', command.instructions ?? '']
    return {
      instructions: parts.filter((part) => part !== '').join('\n\n'),
      messages: [...before.messages, ...command.view],
      tools,
      toolChoice: command.tools,
    }
  }

  /** What an agent was given to start from, as it stands in its first request and in all that follow. */
  #preludeOf(agent: Agent): Prelude {
    const { chatContext } = agent
    if (!chatContext) return { instructions: '', messages: [] }
    const prelude = this.#preludes.get(agent) ?? preludeOf(chatContext, this.#kernel.state.history)
    this.#preludes.set(agent, prelude)
    return prelude
  }

  #pass(generation: Id, agent: Agent, part: LLMPart): void {
    switch (part.type) {
      case 'text':
        this.#kernel.send({ type: 'model-text', generation, text: part.text })
        return
      case 'flush':
        this.#kernel.send({ type: 'model-flush', generation })
        return
      case 'call': {
        const { name, args } = part
        const call = this.#callId(part.id)
        this.#kernel.send({ type: 'model-call', generation, call, name, args, traits: traitsOf(agent, name, args) })
        return
      }
      case 'usage':
        return
    }
  }

  /** The provider's own id, if it is new. What looks like an id of the conversation's own may not be. */
  #callId(wanted: Id | undefined): Id {
    const id = wanted && !this.#callIds.has(wanted) && !/^[abd-z]\d+$/.test(wanted) ? wanted : this.#kernel.id('call')
    this.#callIds.add(id)
    return id
  }

  #lastMessages(): readonly Message[] {
    const messages: Message[] = []
    const { history } = this.#kernel.state
    for (let index = history.length - 1; index >= 0 && messages.length < 6; index--) {
      const item = history[index]
      if (item?.type === 'user') messages.unshift({ role: 'user', text: item.text })
      if (item?.type === 'assistant')
        messages.unshift({ role: 'assistant', text: item.text, interrupted: item.interrupted })
    }
    return messages
  }
}

async function instructionsOf({ name, instructions }: Agent, { session }: Kernel): Promise<string> {
  if (typeof instructions === 'string') return instructions
  try {
    const text = (await instructions(session)) as unknown
    if (typeof text === 'string') return text
    throw new TypeError(`a function must return a string; it returned ${text === null ? 'null' : typeof text}`)
  } catch (error) {
    throw new UsageError(`the instructions of agent "${name}" could not be read: ${messageOf(error)}`, { cause: error })
  }
}

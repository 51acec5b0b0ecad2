import { evidenceOf, laws, type Observed, violations } from '../../src/testing/index.js'
import { isEnded, type Plan } from './moments.js'
import { lastWords, said } from './scene.js'
import { isSilentTooLong, soundOf, whoAnswers } from './sound.js'

/** What was wrong with the course of a plan, judged from outside alone. */
export function wrongs(plan: Plan, seen: Observed): string[] {
  return [
    ...seen.problems,
    ...seen.errors.map(({ at, source, error }) => `an error at ${at} in ${source}: ${error.message}`),
    ...broken(seen),
    ...callsOf(plan, seen),
    ...wordsOf(plan, seen),
    ...taskOf(plan, seen),
    ...soundOf(plan, seen),
    ...whoAnswers(plan, seen),
    ...requestsOf(seen),
    ...actsOf(seen),
    ...restOf(seen),
    ...endOf(plan, seen),
    ...isSilentTooLong(plan, seen),
  ]
}

const broken = ({ session }: Observed): string[] =>
  violations(evidenceOf(session)).map(({ law, seen }) => `${law} (${laws[law].says}): ${seen}`)

/** Each call has one output; nobody aborts one because somebody speaks. */
function callsOf(plan: Plan, { history, tools }: Observed): string[] {
  return tools.flatMap(({ call, name, status, aborted }) => {
    const items = history.filter((item) => item.type === 'call' && item.id === call).length
    const outputs = history.filter((item) => item.type === 'output' && item.call === call).length
    return [
      ...(status === 'running' ? [`${name} still runs at the end`] : []),
      ...(items === 1 && outputs === 1
        ? []
        : [`${name} stands ${items} times in the history, with ${outputs} outputs`]),
      ...(aborted !== null && !isEnded(plan) && plan.onInterrupt === 'continue'
        ? [`${name} was aborted at ${aborted}`]
        : []),
    ]
  })
}

/** Each word of the user's is in the history once, unless the session ended before it was recognised. */
function wordsOf({ at }: Plan, { history, states }: Observed): string[] {
  const kept = history.flatMap((item) =>
    item.type === 'user' || item.type === 'overheard' ? item.text.split(' ') : [],
  )
  const deaf = states.agent.find((each) => each.at > 0 && each.state === 'initializing')?.at ?? Infinity
  const spoken = [
    { at: 0, text: said.first },
    ...(at.final === null ? [] : [{ at: at.final, text: said.over }]),
    { at: lastWords.final, text: said.last },
  ]
  return spoken.flatMap(({ at: time, text }) =>
    text.split(' ').flatMap((word) => {
      const times = kept.filter((each) => each === word).length
      const due = time < Math.min(deaf, at.left ?? Infinity)
      return times > 1 || (due && times === 0) ? [`"${word}" is in the history ${times} times`] : []
    }),
  )
}

/** What a tool awaits settles once; with its result, unless something ended it. */
function taskOf(plan: Plan, { marks, events, tools }: Observed): string[] {
  const asked = marks.filter(({ name }) => name === 'asked').length
  const settled = marks.flatMap(({ name, data }) => (name === 'settled' ? [String(data)] : []))
  const starts = events.filter(({ event }) => event.type === 'task-start').length
  const ends = events.filter(({ event }) => event.type === 'task-end').length
  const collect = tools.find(({ name }) => name === 'collect')
  const right = settled.every((how) => how === 'done' || (plan.onInterrupt === 'cancel' && how === 'InterruptedError'))
  return [
    ...(asked === settled.length ? [] : [`a task was awaited ${asked} times, and settled ${settled.length} times`]),
    ...(starts === ends ? [] : [`${starts} tasks began, and ${ends} ended`]),
    ...(isEnded(plan) || right ? [] : [`nothing ended the task, and it settled as ${settled.join()}`]),
    ...(isEnded(plan) || plan.place === 'alone' || asked > 0 || collect?.status !== 'done'
      ? []
      : ['the tool ended without its task']),
  ]
}

/** Whoever has the conversation again after a task is not asked before what awaited the task could return. */
function requestsOf({ requests, tools, tasks }: Observed): string[] {
  const atOnce = tools.filter(({ call, end }) => tasks.some((task) => task.call === call && task.end === end))
  return requests.flatMap(({ at, agent, messages }) =>
    atOnce
      .filter(
        ({ call, end }) =>
          end === at && messages.some((each) => each.role === 'output' && each.call === call && each.running),
      )
      .map(({ name }) => `${agent} was asked at ${at} while ${name}, which ended then, was shown as running`),
  )
}

/** What the application asks for happens, unless the session has ended. */
const actsOf = ({ acts }: Observed): string[] =>
  acts.flatMap(({ name, outcome, error }) =>
    outcome === 'done' || (error as Error | undefined)?.name === 'SessionClosed'
      ? []
      : [`${name} is ${outcome}: ${String(error)}`],
  )

/** At the end everybody listens. */
function restOf({ states, closed }: Observed): string[] {
  if (closed) return []
  const agent = states.agent.at(-1)?.state
  const user = states.user.at(-1)?.state
  return [
    ...(agent === 'listening' ? [] : [`the agent is ${agent} at the end`]),
    ...(user === 'speaking' ? ['the user still speaks at the end'] : []),
  ]
}

/** A close ends soon after what it waits for; afterwards there is nothing left. */
function endOf({ at }: Plan, { closed, open }: Observed): string[] {
  const told = [at.closed, at.left, at.drained].filter((time) => time !== null)
  const working = Math.max(at.asked ?? 0, at.completed ?? 0, at.transferred ?? 0)
  const limit =
    at.drained === null
      ? Math.max(working, ...told) + 3_000
      : Math.max(...Object.values(at).map((time) => time ?? 0)) + 7_500
  const late = told.length > 0 && (closed === null || closed.at > limit)
  const { timers, tracks, requests, voices, ears, lineClosed, closing } = open
  const left = Object.entries({ timers, tracks, requests, voices, ears }).filter(([, count]) => count > 0)
  return [
    ...(late ? [`told to close at ${told.join()}, it closed at ${closed?.at ?? 'no time'}; ${limit} would do`] : []),
    ...(told.length === 0 && closed ? [`it closed by itself at ${closed.at}`] : []),
    ...(lineClosed && closing !== null ? [] : ['it did not close']),
    ...left.map(([what, count]) => `${count} ${what} are left`),
  ]
}

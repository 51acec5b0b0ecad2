/**
 * What may come before or after what while a tool awaits a task beside speech that a voice talks over. A pair of moments is
 * moved by putting the later of this list around the earlier.
 */
export const moments = [
  /** The voice has lasted long enough to be taken for an interruption. */
  'decided',
  /** Its words are final. */
  'final',
  /** Its end is reported. */
  'quiet',
  /** The turn is over. */
  'committed',
  /** Held speech goes on. */
  'resumed',
  /** The words beside the call have been heard, when nobody holds them. */
  'heardOut',
  /** The tool awaits its task. */
  'asked',
  /** The task has its result; without a task, the tool has. */
  'completed',
  /** The application says that the turn is over. */
  'handedIn',
  /** The application stops what is said, whether protected or not. */
  'stopped',
  /** The application updates the agent. */
  'replaced',
  /** A tool hands the conversation over. */
  'transferred',
  'closed',
  'drained',
  /** The caller hangs up. */
  'left',
] as const

export type Moment = (typeof moments)[number]

/** ms from the start; null: it does not happen. */
export type Moments = Readonly<Record<Moment, number | null>>

/** Where the voice is heard: over the words beside the call, over the question of the task, or beside a tool without a task. */
const places = {
  beside: { decided: 2_000, heardOut: 4_000, asked: 1_000, completed: 5_800 },
  inside: { decided: 2_700, heardOut: 1_500, asked: 600, completed: 4_600 },
  alone: { decided: 2_000, heardOut: 4_000, asked: null, completed: 3_400 },
} as const

/** What the voice is, by the time since it was decided on. */
const voices = {
  words: { final: 600, quiet: 900, committed: 900, resumed: 1_900 },
  lateWords: { final: 1_700, quiet: 900, committed: 900, resumed: 1_900 },
  longWords: { final: 500, quiet: 1_900, committed: 1_900, resumed: 2_900 },
  noise: { final: null, quiet: 900, committed: 900, resumed: 1_900 },
} as const

type Place = keyof typeof places
type Voice = keyof typeof voices

/** What the tool, the line and the session want. */
interface Contract {
  readonly speech: 'yield' | 'finish'
  readonly onInterrupt: 'continue' | 'cancel'
  readonly canPause: boolean
  /** As sessions are by default: words so far prove an interruption, openings are made ahead, and agents greet. */
  readonly eager: boolean
}

export interface Plan extends Contract {
  readonly place: Place
  readonly voice: Voice
  readonly at: Moments
}

/** Something ends the work before it has ended by itself. */
export const isEnded = ({ at }: Plan): boolean =>
  [at.replaced, at.transferred, at.closed, at.drained, at.left].some((time) => time !== null)

const both = [false, true]

const contracts: readonly Contract[] = both.flatMap((finish) =>
  both.flatMap((cancel) =>
    both.flatMap((canPause) =>
      both.map(
        (eager): Contract => ({
          speech: finish ? 'finish' : 'yield',
          onInterrupt: cancel ? 'cancel' : 'continue',
          canPause,
          eager,
        }),
      ),
    ),
  ),
)

/** Every voice in every place, under every contract, before anything is moved. */
export const plans: readonly Plan[] = Object.entries(places).flatMap(([place, { decided, ...rest }]) =>
  Object.entries(voices).flatMap(([voice, since]) => {
    const heard = Object.entries(since).map(([moment, ms]) => [moment, ms === null ? null : decided + ms])
    const never = Object.fromEntries(moments.map((moment) => [moment, null]))
    const at = { ...never, decided, ...rest, ...Object.fromEntries(heard) } as Moments
    const all = contracts.map((contract) => ({ place: place as Place, voice: voice as Voice, at, ...contract }))
    // without a task there is nothing that could protect the words
    return place === 'alone' ? all.filter(({ speech }) => speech === 'yield') : all
  }),
)

export type Move = readonly [moment: Moment, ms: number]

/** When something happens around which others are moved, and which does not happen otherwise. */
const otherwise = 2_800

/** Each of `moved` by so many ms around `anchor`. */
export function around(at: Moments, anchor: Moment, moved: readonly Move[]): Moments {
  const time = at[anchor] ?? otherwise
  const times = moved.map(([moment, by]) => [moment, Math.max(0, time + by)])
  return { ...at, [anchor]: time, ...Object.fromEntries(times) }
}

/** There are no words in a noise that could be final, and without a task none is asked for. */
export const canMove = ({ at }: Plan, moment: Moment): boolean =>
  at[moment] !== null || (moment !== 'final' && moment !== 'asked')

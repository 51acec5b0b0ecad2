/** How a conversation is held. Plain data, fixed when it starts; all times in ms. */
export interface Settings {
  /** Who decides that the user has finished: our endpointing, the application, or a speech-to-speech model. */
  readonly turns: 'voice' | 'manual' | 'model'
  /** Who makes the sound: a TTS that is fed with text, the model itself, or nobody (text only). */
  readonly voice: 'tts' | 'model' | 'none'
  /** Somebody writes down what the user says. Without, a turn needs no words. */
  readonly transcribes: boolean
  /** Somebody measures how long the user's voice lasts. */
  readonly measuresVoice: boolean
  /** An end-of-turn model can be asked. */
  readonly predicts: boolean
  readonly line: { readonly canPause: boolean; readonly canDuck: boolean }
  readonly speculation: Speculation
  readonly turnHandling: Required<EndpointingAndInterruption>
  readonly userTurnLimit: UserTurnLimit | null
  readonly maxToolSteps: number
  /** Failures of one kind of service that are borne in a row; one more closes the session. */
  readonly maxFailures: number
  readonly minConsecutiveSpeechDelay: number
  /** Both are silent for so long: the user is away. null: never. */
  readonly userAwayTimeout: number | null
  readonly limits: Limits
}

/** Answering words that the user may still be adding to. */
export interface Speculation {
  readonly enabled: boolean
  /** A task's opening is prepared while the words before it are still heard. */
  readonly openings: boolean
  /** Guesses at one turn. */
  readonly maxGuesses: number
}

/** How much a user may say before the agent puts in a word. */
export interface UserTurnLimit {
  readonly maxWords: number | null
  /** ms. */
  readonly maxDuration: number | null
}

interface EndpointingAndInterruption {
  readonly endpointing: Endpointing
  readonly interruption: Interruption
}

/** What an agent may want otherwise than its session. */
export interface TurnHandling {
  readonly endpointing?: Partial<Endpointing>
  readonly interruption?: Partial<Interruption>
}

export interface Endpointing {
  /** `dynamic`: the delay follows the pauses that this user makes within turns, between `minDelay` and `maxDelay`. */
  readonly mode: 'fixed' | 'dynamic'
  /** Weight of what was learned before, 0 to 1, when another pause is learned. */
  readonly alpha: number
  /** From the last sound to the end of the turn. */
  readonly minDelay: number
  /** The same, when the end-of-turn model thinks that the user goes on. */
  readonly maxDelay: number
  /** Probability from which the user has finished. */
  readonly threshold: number
  /** How long the end-of-turn model may think. */
  readonly predictionTimeout: number
  /** How long words are waited for after a voice without any. */
  readonly transcriptTimeout: number
}

export interface Interruption {
  readonly enabled: boolean
  /** A voice that lasts so long takes the floor. */
  readonly minDuration: number
  /** Nothing with fewer words does. */
  readonly minWords: number
  /** Which transcripts prove an interruption. */
  readonly words: 'interim' | 'final'
  /** What happens to the sound until it is clear whether somebody interrupts. */
  readonly hold: 'pause' | 'duck'
  /** Silence without words after which held speech goes on. null: nothing is held, a voice cuts at once. */
  readonly falseInterruptionTimeout: number | null
  /** Whether what was held goes on by itself. */
  readonly resume: boolean
  /** Held speech that has become protected waits no longer than this for a user who keeps speaking. */
  readonly maxHold: number
  /** Words that are heard but take nothing from the agent, when nothing else is said. Lower case. */
  readonly backchannels: readonly string[]
  /** A verdict of backchannel this soon after the agent has begun to speak does not count. */
  readonly backchannelBoundary: number
  /** After the agent's first sound, voices do not interrupt for so long: an echo canceller is learning. */
  readonly warmup: number
}

/** How long the world may take. When a limit passes, a rule says what follows. */
export interface Limits {
  /** From the request to the first word of a model. */
  readonly modelStart: number
  /** Between two parts of its answer. */
  readonly modelGap: number
  /** From text to the first sound. */
  readonly voiceStart: number
  /** Between two marks or sounds of a voice that has not ended. */
  readonly voiceGap: number
  /** From a clear to its acknowledgement, and from the end of a speech's sound to the report of it. */
  readonly line: number
  /** From an abort to the end of a call that was asked to stop. */
  readonly abort: number
  readonly hook: number
  readonly drain: number
  /** Phases of the close, one after another. */
  readonly closeTranscript: number
  readonly closeTools: number
  readonly closeOutput: number
}

export const defaults: Settings = {
  turns: 'voice',
  voice: 'tts',
  transcribes: true,
  measuresVoice: true,
  predicts: false,
  line: { canPause: true, canDuck: false },
  speculation: { enabled: true, openings: true, maxGuesses: 3 },
  turnHandling: {
    endpointing: {
      mode: 'fixed',
      alpha: 0.9,
      minDelay: 500,
      maxDelay: 3_000,
      threshold: 0.5,
      predictionTimeout: 1_000,
      transcriptTimeout: 2_000,
    },
    interruption: {
      enabled: true,
      minDuration: 500,
      minWords: 0,
      words: 'interim',
      hold: 'pause',
      falseInterruptionTimeout: 2_000,
      resume: true,
      maxHold: 10_000,
      backchannels: ['mhm', 'mhmm', 'mm', 'mmm', 'mm-hmm', 'mm-hm', 'hm', 'hmm', 'uh-huh', 'uhuh', 'aha', 'ah'],
      backchannelBoundary: 1_000,
      warmup: 0,
    },
  },
  userTurnLimit: null,
  maxToolSteps: 3,
  maxFailures: 3,
  minConsecutiveSpeechDelay: 0,
  userAwayTimeout: 15_000,
  limits: {
    modelStart: 10_000,
    modelGap: 5_000,
    voiceStart: 5_000,
    voiceGap: 5_000,
    line: 1_000,
    abort: 2_000,
    hook: 30_000,
    drain: 60_000,
    closeTranscript: 2_000,
    closeTools: 5_000,
    closeOutput: 5_000,
  },
}

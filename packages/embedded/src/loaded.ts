/** What a model of this package can do beside its work. Its weights are loaded when they are first needed, or asked for. */
export interface Loaded {
  /** Loads it. Who waits for this has no wait at the first use. */
  ready(): Promise<void>
  /** Lets go of its memory and ends its thread; the next use loads it again. The process can end without this. */
  close(): Promise<void>
}

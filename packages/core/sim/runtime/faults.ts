/** What goes wrong around a session, and is drawn into its scenes. */
export const faults = {
  stall: 'a model or a voice falls silent in the middle',
  finals: 'the recogniser writes late, or in pieces',
  suspended: 'the process was suspended, and wakes up late',
  slow: 'a tool takes seconds',
  endless: 'a tool never ends, whatever it is told',
  interrupted: 'somebody interrupts while something is made',
  crash: 'a hook, a tool or a listener of the application throws',
  refused: 'a provider is overloaded, or takes the key no more',
  unreported: 'the line does not tell how far it has played',
  backPressure: 'the line takes no more sound for now',
  silence: 'nobody says anything for long',
} as const

export type Fault = keyof typeof faults

/** Which faults a scene met. */
export class Met extends Set<Fault> {
  /** `what`, of which the scene is the worse. */
  with<T>(fault: Fault, what: T): T {
    this.add(fault)
    return what
  }
}

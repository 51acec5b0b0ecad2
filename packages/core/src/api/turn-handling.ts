import type { Endpointing, Interruption } from '../conversation/settings.js'
import { type Check, count, duration, fields, oneOf, orNull, probability, texts, yesOrNo } from './check.js'
import { UsageError } from './errors.js'

const endpointing: Record<keyof Endpointing, Check> = {
  mode: oneOf('fixed', 'dynamic'),
  alpha: probability,
  minDelay: duration,
  maxDelay: duration,
  threshold: probability,
  predictionTimeout: duration,
  transcriptTimeout: duration,
}

const interruption: Record<keyof Interruption, Check> = {
  enabled: yesOrNo,
  minDuration: duration,
  minWords: count,
  words: oneOf('interim', 'final'),
  hold: oneOf('pause', 'duck'),
  falseInterruptionTimeout: orNull(duration),
  resume: yesOrNo,
  maxHold: duration,
  backchannels: texts,
  backchannelBoundary: duration,
  warmup: duration,
}

const shape = fields({ endpointing: fields(endpointing), interruption: fields(interruption) })

/** What may stand under `turnHandling`, of a session or of an agent. */
export const turnHandling: Check = (where, value) => {
  shape(where, value)
  const { minDelay, maxDelay } = (value as { endpointing?: Partial<Endpointing> }).endpointing ?? {}
  if (minDelay !== undefined && maxDelay !== undefined && minDelay > maxDelay) {
    throw new UsageError(
      `${where}.endpointing.minDelay is ${minDelay}, more than its maxDelay of ${maxDelay}: exchange them`,
    )
  }
}

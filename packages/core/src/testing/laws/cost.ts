import type { LLMUsage, TTSUsage, UsageRecord } from '../../api/report.js'
import type { ModelRequest } from '../llm.js'
import type { VoiceRequest } from '../voice.js'
import { type Evidence, inputs, ms } from './evidence.js'

/** L9: usage is recorded for each request to a provider; of what was cancelled, as an estimate. */
export function counted(evidence: Evidence): string[] {
  const { usage, requests = [], voices = [], endedAt } = evidence
  if (!usage) return []
  const models = usage.filter((record) => record.kind === 'llm')
  const speakers = usage.filter((record) => record.kind === 'tts')
  return [
    ...once('generation', generationsIn(evidence), models, ({ generation }) => generation),
    ...(speakers.length > 0 ? once('speech', speechesIn(evidence), speakers, ({ speech }) => speech) : []),
    ...requests.flatMap((request, index) => modelCost(request, models, earlierTwins(requests, index))),
    ...voices.flatMap((request, index) => voiceCost(request, speakers, earlierTwins(voices, index))),
    ...speakers.flatMap(({ speech, audioMs, heardMs }) =>
      heardMs > audioMs + 1 ? [`of the speech ${speech} ${ms(heardMs)} were heard and only ${ms(audioMs)} made`] : [],
    ),
    ...(endedAt === null ? [] : usage.filter(({ end }) => end === null).map((record) => `${named(record)} has no end`)),
  ]
}

/** Those that were made by models of which the session asks something: not by the application, nor by models that begin by themselves. */
function generationsIn(evidence: Evidence): string[] {
  const own = new Set([
    ...inputs(evidence, 'say').map(({ input }) => input.reply),
    ...inputs(evidence, 'model-start').map(({ input }) => input.generation),
  ])
  const made = [
    ...inputs(evidence, 'model-text'),
    ...inputs(evidence, 'model-call'),
    ...inputs(evidence, 'model-end').filter(({ input }) => !input.error),
  ].map(({ input }) => input.generation)
  return [...new Set(made)].filter((generation) => !own.has(generation))
}

const speechesIn = (evidence: Evidence): string[] => [
  ...new Set(inputs(evidence, 'voice-start').map(({ input }) => input.speech)),
]

/** Of those that were asked for one thing, one after another, only the last can have done it. */
function once<Of extends UsageRecord>(
  what: string,
  ids: readonly string[],
  records: readonly Of[],
  idOf: (record: Of) => string,
): string[] {
  return ids.flatMap((id) => {
    const own = records.filter((record) => idOf(record) === id)
    if (own.length === 0) return [`the ${what} ${id} has no record of what it used`]
    return own.filter(({ status }) => status !== 'failed').length > 1 ? [`the ${what} ${id} was counted twice`] : []
  })
}

/** The record of a request, made by a provider that may have been wrapped into another: then several share one. */
function recordOf<Of extends UsageRecord>(name: string, at: number, records: readonly Of[], nth = 0): Of | undefined {
  const covering = records.filter(
    (record) => record.provider.includes(name) && record.at <= at && at <= (record.end ?? Number.POSITIVE_INFINITY),
  )
  const exact = covering.filter((record) => record.at === at)
  return exact[nth] ?? exact[0] ?? covering[0]
}

/** Requests to the same provider in the same millisecond that came before. */
function earlierTwins<Request extends ModelRequest | VoiceRequest>(
  requests: readonly Request[],
  index: number,
): number {
  const key = (request: Request) => `${'model' in request ? request.model : request.voice} ${request.at}`
  return requests.slice(0, index).filter((request) => key(request) === key(requests[index]!)).length
}

function modelCost({ model, at, outcome, said }: ModelRequest, records: readonly LLMUsage[], nth: number): string[] {
  const record = recordOf(model, at, records, nth)
  if (!record) return [`the request to "${model}" at ${ms(at)} is in no record of what was used`]
  if (outcome !== 'aborted' || record.status !== 'cancelled') return []
  return [
    ...(record.estimated ? [] : [`${named(record)} was cancelled, and is not marked as an estimate`]),
    ...(said !== '' && record.outputTokens === 0 ? [`${named(record)} has said something, and counts as nothing`] : []),
    ...(record.inputTokens === 0 ? [`${named(record)} was asked something, and that counts as nothing`] : []),
  ]
}

function voiceCost(
  { voice, at, text, made, outcome }: VoiceRequest,
  records: readonly TTSUsage[],
  nth: number,
): string[] {
  const record = recordOf(voice, at, records, nth)
  if (!record) return [`the request to the voice "${voice}" at ${ms(at)} is in no record of what was used`]
  const short = record.end !== null && record.characters < text.length
  const other = outcome === 'done' && record.end !== null && Math.abs(record.audioMs - made) > 5
  return [
    ...(short ? [`${named(record)} was given ${text.length} characters, and ${record.characters} are counted`] : []),
    ...(other ? [`${named(record)} has made ${ms(made)} of sound, and ${ms(record.audioMs)} are counted`] : []),
  ]
}

const named = ({ kind, provider, at }: UsageRecord): string => `the request to "${provider}" (${kind}) at ${ms(at)}`

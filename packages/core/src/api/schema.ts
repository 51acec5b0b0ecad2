import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { UsageError } from './errors.js'

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * A schema of any library that implements Standard Schema with JSON Schema (zod, valibot, arktype …): values are checked
 * with it, and models are told of it. See https://standardschema.dev.
 */
export interface Schema<Output = unknown> {
  readonly '~standard': StandardSchemaV1.Props<unknown, Output> & StandardJSONSchemaV1.Props<unknown, Output>
}

/** The type of the values that `S` lets pass. */
export type Infer<S> = S extends Schema<infer Output> ? Output : never

type JsonSchema = { readonly [key: string]: Json | undefined }

const jsonSchemas = new WeakMap<Schema, JsonSchema>()

/** The JSON Schema (draft 2020-12) of what `schema` takes. Made once: libraries take their time for it. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  const known = jsonSchemas.get(schema)
  if (known) return known
  const { $schema: _, ...json } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  jsonSchemas.set(schema, json as JsonSchema)
  return json as JsonSchema
}

/** @throws {UsageError} when `value` is not a schema of which a model can be told. */
export function checkSchema(where: string, value: unknown): asserts value is Schema {
  if (!isSchema(value)) {
    throw new UsageError(
      `${where} must be a schema with Standard Schema and JSON Schema, such as z.object({…}) of zod 4.2 or later`,
    )
  }
  try {
    jsonSchemaOf(value)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${where} has no JSON Schema, so no model can be told of it: ${why}`, { cause: error })
  }
}

function isSchema(value: unknown): value is Schema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('~standard' in value))
    return false
  const standard = value['~standard'] as { validate?: unknown; jsonSchema?: { input?: unknown } } | null
  return typeof standard?.validate === 'function' && typeof standard.jsonSchema?.input === 'function'
}

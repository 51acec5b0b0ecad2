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

/** The JSON Schema (draft 2020-12) of what `schema` takes. */
export function jsonSchemaOf(schema: Schema): { readonly [key: string]: Json | undefined } {
  const { $schema: _, ...json } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  return json as { readonly [key: string]: Json | undefined }
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

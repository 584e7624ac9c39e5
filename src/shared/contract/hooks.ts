import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { endpoint } from './endpoint.ts'
import { nullish, passwordText, type WireType } from './wire.ts'

/** The faults of a line that are known before it runs. */
export const hookLineFaults = ['no-program', 'open-escape', 'open-quote'] as const
export type HookLineFault = (typeof hookLineFaults)[number]

const event = Type.String({
  description: 'The event, such as `before_upload`',
  maxLength: limits.optionCharacters,
})

const listedLineSchema = Type.Object(
  {
    event,
    line: Type.String(),
    program: Type.String({
      description: 'The program that the line starts. Empty when the line cannot be read',
    }),
    fault: Type.Union([
      Type.Unsafe<HookLineFault>(Type.Union(hookLineFaults.map((fault) => Type.Literal(fault)))),
      Type.Null(),
    ]),
  },
  { title: 'HookLine' },
)

/** A stored line of a hook, and whether it can be started. */
export type HookLine = WireType<typeof listedLineSchema>

export const listHooks = endpoint({
  route: 'hooks.list',
  summary: 'Lists the lines that run before and after changes, and names those whose program does not exist',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': Type.Array(listedLineSchema) },
})

/** The ways in which the run of a line ends. `broken` is a line that cannot be split into words. */
export const hookEnds = ['exited', 'signalled', 'time-limit', 'not-started', 'broken'] as const
export type HookEnd = (typeof hookEnds)[number]

const trialSchema = Type.Object(
  {
    end: Type.Unsafe<HookEnd>(Type.Union(hookEnds.map((end) => Type.Literal(end)))),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The exit code of a program that has `exited`',
    }),
    output: Type.String({
      description: 'What the program printed on its standard output and its standard error',
    }),
    reason: Type.String({ description: 'The reason that users would see. Empty without one' }),
    durationMs: Type.Integer(),
  },
  { title: 'HookTrial' },
)

/** The result of the trial of a line. */
export type HookTrial = WireType<typeof trialSchema>

export const tryHook = endpoint({
  route: 'hooks.try',
  summary: 'Runs a line of a hook with the values of a sample file, which is deleted afterwards',
  audience: 'admin',
  body: 'json',
  schema: Type.Object({
    event,
    line: Type.String({ maxLength: limits.commandLineCharacters }),
    current_password: nullish(passwordText),
  }),
  failures: ['wrong-password', 'unsupported', 'overloaded'],
  responses: { 'application/json': trialSchema },
})

import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { ruleSchema } from './user-schemas.ts'
import { nullish, type WireType } from './wire.ts'

const verdict = {
  isAllowed: Type.Boolean(),
  rule: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'The position of the rule that decides, from 0. Null when no rule matches, which allows the path',
  }),
}

const checkSchema = Type.Object(
  {
    faults: Type.Array(
      Type.Object({
        rule: Type.Integer({ description: 'The position of the rule, from 0' }),
        kind: Type.Union([Type.Literal('invalid'), Type.Literal('too-large'), Type.Literal('too-long')]),
      }),
      { description: 'The rules that cannot be stored. They decide nothing here' },
    ),
    ...verdict,
    isFound: Type.Boolean({ description: 'True when an entry exists at the path' }),
    entries: Type.Array(Type.Object({ name: Type.String(), isFolder: Type.Boolean(), ...verdict }), {
      description: 'The first 100 entries in the folder at the path, or in its parent folder',
    }),
  },
  { title: 'RuleCheck' },
)

/** The faults of a list of rules, and what the list decides about a path and about the entries around it. */
export type RuleCheck = WireType<typeof checkSchema>

export const checkRules = endpoint({
  route: 'rules.check',
  summary: 'Tries a list of rules, which need not be stored, on a path and on the entries of its folder',
  audience: 'admin',
  body: 'json',
  schema: Type.Object({
    rules: Type.Array(ruleSchema, { maxItems: 2000 }),
    path: Type.String({ description: 'The path inside the folder of a user, not percent-encoded' }),
    scope: nullish(
      Type.String({ description: 'The folder of the user. Without it, the folder of the caller' }),
    ),
  }),
  responses: { 'application/json': checkSchema },
})

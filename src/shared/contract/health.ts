import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  route: 'health.get',
  summary: 'Answers 200 when the server works; any method is accepted, but not from foreign pages',
  audience: 'anyone',
  body: 'none',
  responses: { 'application/json': Type.Object({ status: Type.Literal('OK') }) },
  failures: ['unavailable', 'forbidden'],
})

import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  route: 'health.get',
  summary:
    'Answers 200 when the server can serve; to any other method, too, though not from the pages of others',
  who: 'anyone',
  body: 'none',
  gives: { 'application/json': Type.Object({ status: Type.Literal('OK') }) },
  fails: ['unavailable', 'forbidden'],
})

import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  route: 'health.get',
  summary:
    'Responds with 200 when the server works. Any method is accepted, but not from pages of other servers',
  audience: 'anyone',
  body: 'none',
  responses: { 'application/json': Type.Object({ status: Type.Literal('OK') }) },
  failures: ['unavailable', 'forbidden'],
})

export const getOpenApi = endpoint({
  route: 'openapi.get',
  summary: 'This description of the API, as OpenAPI 3.1',
  audience: 'anyone',
  body: 'none',
  responses: {
    'application/json': Type.Object({
      openapi: Type.String(),
      info: Type.Object({}),
      paths: Type.Object({}),
    }),
  },
})

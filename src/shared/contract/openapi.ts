import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

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

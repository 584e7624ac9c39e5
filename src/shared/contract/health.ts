import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  route: 'health.get',
  summary: 'Answers 200 when the server can serve',
  who: 'anyone',
  body: 'none',
  gives: ['application/json'],
  fails: ['unavailable'],
})

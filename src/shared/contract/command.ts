import { endpoint } from './endpoint.ts'

export const runCommand = endpoint({
  route: 'command.run',
  summary:
    'Socket for one command: the first message that is not blank is the line, each line of output is a message; closed with 1000 ' +
    'and the exit status, or a word when no program ran, as its reason',
  audience: 'session',
  takesTokenInQuery: true,
  body: 'none',
  isSocket: true,
  failures: ['too-many-tries'],
})

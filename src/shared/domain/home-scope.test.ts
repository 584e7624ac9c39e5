import { expect, test } from 'vitest'
import { homeScope } from './home-scope.ts'

const on = { createUserDir: true, userHomeBasePath: '/users', defaults: { scope: 'all' } }
const off = { ...on, createUserDir: false }

test.each([
  ['joe', '/users/joe'],
  ['al ice', '/users/al-ice'],
  [' joe ', '/users/joe'],
  ['../evil', '/users/-evil'],
  ['ünïcode', '/users/-n-code'],
  ['a/b', '/users/a-b'],
  ['张三', '/users/张三'],
  ['张三 1', '/users/张三-1'],
  ['Зоя', '/users/Зоя'],
  ['\u0418\u0306\u043e\u0432', '/users/\u0419\u043e\u0432'],
  ['हिन्दी', '/users/हिन्दी'],
  ['李/../四', '/users/李-四'],
  ['joe@example.org', '/users/joe@example.org'],
])('10.6: the folder of %j is %s', (username, scope) => {
  expect(homeScope(on, username, null)).toBe(scope)
})

test.each(['..', '.', '--', '🙂', '‮', '....', '／'])(
  'a user name that leaves no usable folder name is refused: %s',
  (username) => {
    expect(() => homeScope(on, username, null)).toThrow('leaves no valid folder name')
  },
)

test.each<readonly [typeof on, string | null, string]>([
  [on, ' a/b ', 'a/b'],
  [on, '', '/users/joe'],
  [{ ...on, userHomeBasePath: '/' }, null, '/joe'],
  [{ ...on, userHomeBasePath: 'homes/' }, null, 'homes/joe'],
  [off, null, 'all'],
  [off, ' ', ''],
  [off, '..', '..'],
])('%j and %j: %s', (settings, given, scope) => {
  expect(homeScope(settings, 'joe', given)).toBe(scope)
})

import { expect, test } from 'vitest'
import { readTarget } from './request-target.ts'

test.each([
  ['/a/b?c=d', '', '/a/b', 'c=d'],
  ['/a?b?c', '', '/a', 'b?c'],
  ['/', '', '/', ''],
  ['//a//b', '', '/a/b', ''],
  ['///', '', '/', ''],
  ['//?//', '', '/', '//'],
  ['//other.example/a', '', '/other.example/a', ''],
  ['/a%2F%2Fb//', '', '/a%2F%2Fb/', ''],
  ['http://other.example//a', '', '/a', ''],
  ['//fb///api//login', '/fb', '/api/login', ''],
  ['/fb//', '/fb', '/', ''],
  ['//fbx', '/fb', '/fbx', ''],
  ['/%2e%2e/a%2Fb', '', '/%2e%2e/a%2Fb', ''],
  ['/a\\b', '', '/a\\b', ''],
  ['http://other.example/a?b', '', '/a', 'b'],
  ['http://other.example', '', '/', ''],
  ['http://other.example?b', '', '/', 'b'],
  ['HTTPS://user:secret@other.example:8/a', '', '/a', ''],
  ['/fb/api/login', '/fb', '/api/login', ''],
  ['/fb', '/fb', '/', ''],
  ['/fb/', '/fb', '/', ''],
  ['/fb?a', '/fb', '/', 'a'],
  ['/fbx/api', '/fb', '/fbx/api', ''],
  ['/api/login', '/fb', '/api/login', ''],
  ['/fb/fb/a', '/fb', '/fb/a', ''],
  ['http://h/fb/a', '/fb', '/a', ''],
])('the target %s with the base path %j', (url, basePath, path, query) => {
  expect(readTarget(url, basePath)).toEqual({ path, query })
})

test.each(['*', '', 'api/login', 'host:443', '?a=b'])('the target %j has no path', (url) => {
  expect(readTarget(url, '')).toBeNull()
})

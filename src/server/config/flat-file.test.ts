import { expect, test } from 'vitest'
import { UsageError } from './usage-error.ts'
import { parseFlatFile } from './flat-file.ts'

const read = (file: string, content: string) => Object.fromEntries(parseFlatFile(file, content))

test('JSON: the configuration file of the original images is read', () => {
  const content = `{"port":80,"baseURL":"","address":"","log":"stdout","database":"/database.db","root":"/srv"}`
  expect(read('/.filebrowser.json', content)).toEqual({
    port: '80',
    baseURL: '',
    address: '',
    log: 'stdout',
    database: '/database.db',
    root: '/srv',
  })
})

test('JSON: nested keys, lists and null are read', () => {
  const content = '\ufeff{"auth": {"trustedProxies": ["10.0.0.1", "::1"]}, "noauth": true, "cert": null}'
  expect(read('x.json', content)).toEqual({ 'auth.trustedProxies': '10.0.0.1,::1', noauth: 'true' })
})

test('YAML: nested keys, quotation marks, lists and comments are read', () => {
  const content = `---
# how it is served
port: 8080   # not 80
root: /srv/files with spaces
baseURL: "/fb"
log: 'it''s a file'
address: ""
cert: ~
color: "#123456"
auth:
  trustedProxies: [10.0.0.1, "::1"]
  deeper:
    key: a#b
disableExec: false
`
  expect(read('x.yaml', content)).toEqual({
    port: '8080',
    root: '/srv/files with spaces',
    baseURL: '/fb',
    log: "it's a file",
    address: '',
    color: '#123456',
    'auth.trustedProxies': '10.0.0.1,::1',
    'auth.deeper.key': 'a#b',
    disableExec: 'false',
  })
})

test('YAML: lists below their key, block texts, quoted keys, references and octal modes are read', () => {
  const content = `trustedProxies:
  - 10.0.0.1
  - "::1"
"branding.name": 'Family'
motto: >-
  two lines
  in one
notice: |
  first
  second
fileMode: 0640
port: &port 8080
metricsPort: *port
empty:
users: {first: {scope: /a}}
`
  expect(read('x.yaml', content)).toEqual({
    trustedProxies: '10.0.0.1,::1',
    'branding.name': 'Family',
    motto: 'two lines in one',
    notice: 'first\nsecond\n',
    fileMode: '0640',
    port: '8080',
    metricsPort: '8080',
    'users.first.scope': '/a',
  })
  expect(read('x.yml', '# nothing\n')).toEqual({})
})

test('TOML: dotted and quoted keys, lists of several lines and texts of several lines are read', () => {
  const content = `auth.method = "proxy"
"trustedProxies" = [
  "10.0.0.1", # the first
  '::1',
]
port = 8_080
fileMode = 0o640
motto = """
two
lines"""
[branding]
name = 'Family'
`
  expect(read('x.toml', content)).toEqual({
    'auth.method': 'proxy',
    trustedProxies: '10.0.0.1,::1',
    port: '8080',
    fileMode: '416',
    motto: 'two\nlines',
    'branding.name': 'Family',
  })
})

test('TOML: tables, quotation marks, lists and comments are read', () => {
  const content = `# how it is served
port = 8080 # not 80
root = "/srv/\\u00fc"
log = 'C:\\logs'
address = ""

[auth]
trustedProxies = ["10.0.0.1", "::1"]
`
  expect(read('x.toml', content)).toEqual({
    port: '8080',
    root: '/srv/ü',
    log: 'C:\\logs',
    address: '',
    'auth.trustedProxies': '10.0.0.1,::1',
  })
})

test.each([
  ['x.json', '{"port": 80', 'x.json'],
  ['x.json', '[1]', 'x.json'],
  ['x.yml', 'port: 80\n- a', 'line 2'],
  ['x.yaml', 'a: 1\n\nb: "open', 'line 3'],
  ['x.yaml', 'a: 1\na: 2', 'line 2'],
  ['x.yaml', '- a', 'x.yaml'],
  ['x.toml', 'port = 80\nroot', 'line 2'],
  ['x.toml', 'a = 1\n[b]\nc = [1', 'line 3'],
  ['x.toml', 'port =', 'line 1'],
  ['x.ini', 'port=80', 'x.ini'],
])('%s with %j is refused, and the message names the place', (file, content, place) => {
  expect(() => read(file, content)).toThrow(UsageError)
  expect(() => read(file, content)).toThrow(place)
})

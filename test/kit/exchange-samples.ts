// This file contains invented exports in the formats of File Browser. Exports of its first versions lack some fields,
// and YAML exports use other field names.

/** A password hash in a valid format. It does not match any known password. */
export const samplePasswordHash = `$2a$10$${'a'.repeat(53)}`

const rules = [
  { regex: false, allow: false, path: '/internal', regexp: null },
  { regex: true, allow: false, path: '', regexp: { raw: '\\.secret$' } },
]
const defaults = {
  scope: '.',
  locale: 'de',
  viewMode: 'mosaic',
  singleClick: true,
  sorting: { by: 'size', asc: true },
  perm: { admin: false, execute: false, create: true, rename: true, modify: true, delete: false },
  commands: ['git'],
}

const later = {
  settings: {
    key: 'AAAA',
    signup: true,
    hideLoginButton: true,
    userHomeBasePath: '/people',
    defaults: { ...defaults, redirectAfterCopyMove: false },
    authMethod: 'proxy',
    logoutPage: '/goodbye',
    branding: { name: 'Old & Co.', theme: 'sepia' },
    tus: { chunkSize: 5_242_880, retryCount: 3 },
    commands: { after_upload: ['touch x &'], before_copy: null, my_own: ['true'] },
    shell: ['/bin/sh', '-c'],
    rules,
    minimumPasswordLength: 10,
    fileMode: 0o644,
    dirMode: 0o750,
    hideDotfiles: false,
  },
  server: {
    root: '/srv',
    baseURL: '/fb',
    socket: '',
    tlsKey: '',
    port: '9010',
    address: '127.0.0.1',
    log: 'stderr',
    enableThumbnails: false,
    resizePreview: true,
    enableExec: true,
    typeDetectionByHeader: true,
    imageResolutionCalculation: true,
    authHook: '',
    tokenExpirationTime: '876000h',
    followExternalSymlinks: false,
  },
  auther: { header: 'X-User' },
}

const laterYaml = `settings:
  key:
  - 0
  - 1
  signup: true
  hideloginbutton: true
  userhomebasepath: /people
  defaults:
    scope: .
    locale: de
    viewmode: mosaic
    singleclick: true
    redirectaftercopymove: false
    sorting:
      by: size
      asc: true
    perm:
      admin: false
      create: true
    commands:
    - git
  authmethod: proxy
  logoutpage: /goodbye
  branding:
    name: Old & Co.
    theme: sepia
  tus:
    chunksize: 5242880
    retrycount: 3
  commands:
    after_upload:
    - touch x &
    before_copy: []
    my_own:
    - 'true'
  shell:
  - /bin/sh
  - -c
  rules:
  - regex: false
    allow: false
    path: /internal
    regexp: null
  - regex: true
    allow: false
    path: ""
    regexp:
      raw: \\.secret$
  minimumpasswordlength: 10
  filemode: 420
  dirmode: 488
server:
  root: /srv
  baseurl: /fb
  tlskey: ""
  port: "9010"
  address: 127.0.0.1
  log: stderr
  enablethumbnails: false
  resizepreview: true
  enableexec: true
  typedetectionbyheader: true
  imageresolutioncal: true
  tokenexpirationtime: 876000h
  caseinsensitivefs: false
auther:
  header: X-User
`

export const laterConfigExport = { json: JSON.stringify(later), yaml: laterYaml }

export const firstConfigExport = JSON.stringify({
  settings: { key: 'AAAA', signup: false, defaults, authMethod: 'json', shell: null, rules: null },
  server: { root: '/srv', port: '8080', enableThumbnails: false, enableExec: false },
  auther: { recaptcha: null },
})

export const firstUsersExport = JSON.stringify([
  {
    id: 1,
    username: 'admin',
    password: samplePasswordHash,
    scope: '.',
    viewMode: 'cards',
    perm: { admin: true, delete: false },
    commands: null,
    sorting: { by: '', asc: false },
    rules: [],
  },
  {
    id: 12,
    username: '0042',
    password: samplePasswordHash,
    scope: '/users/0042',
    lockPassword: true,
    rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }],
  },
])

export const laterUsersExport = `- id: 1
  username: admin
  password: ${samplePasswordHash}
  scope: /
  locale: en
  lockpassword: false
  viewmode: list
  perm:
    admin: true
    delete: false
  commands: []
  rules: []
  redirectaftercopymove: false
- id: 12
  username: "0042"
  password: ${samplePasswordHash}
  scope: /users/0042
  lockpassword: true
  rules:
  - regex: true
    allow: false
    path: ""
    regexp:
      raw: (
  redirectaftercopymove: false
`

const domain = 'shared/domain'
const contract = 'shared/contract'

/**
 * The folders that every feature of the server may import. Features do not import each other. When a feature depends on
 * another feature, `build.ts` passes the dependency as an argument.
 */
const feature = [
  domain,
  contract,
  'server/concurrency',
  'server/storage',
  'server/records',
  'server/auth',
  'server/access',
  'server/changes',
  'server/http',
  'server/programs',
]

/**
 * The folders that the composition root may import. They contain all server modules that the composition root connects.
 */
const composed = [
  ...feature,
  'server/workers',
  'server/config',
  'server/shell',
  'server/sessions',
  'server/files',
  'server/downloads',
  'server/archives',
  'server/previews',
  'server/uploads',
  'server/shares',
  'server/search',
  'server/subtitles',
  'server/users',
  'server/settings',
  'server/events',
  'server/page',
  'server/health',
  'server/hooks',
  'server/openapi',
  'server/audit',
]

/** The folders that every screen of the client may import. */
const screen = [
  domain,
  contract,
  'client/ui',
  'client/i18n',
  'client/api',
  'client/photos',
  'client/router',
  'client/state',
  'client/listing',
  'client/operations',
  'client/actions',
]

/**
 * The module map: the folders that each folder may import. An entry may also be a single file. Files in a folder
 * without an entry belong to the nearest entry above. The architecture tests fail on a folder that is not on the map
 * and on an import that the map does not allow. Change the map only when it is wrong, never to make an import pass.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'shared/domain': [],
  'shared/contract': [domain],

  'server/concurrency': [domain],
  'server/workers': [domain],
  'server/programs': [domain],
  'server/storage': [domain, 'server/concurrency', 'server/workers'],
  'server/records': [domain, contract],
  'server/auth': [
    domain,
    contract,
    'server/concurrency',
    'server/workers',
    'server/records',
    'server/programs',
  ],
  'server/changes': [domain, contract, 'server/storage'],
  'server/access': [
    domain,
    contract,
    'server/concurrency',
    'server/storage',
    'server/records',
    'server/changes',
  ],
  'server/http': [
    domain,
    contract,
    'server/concurrency',
    'server/storage',
    'server/records',
    'server/auth',
    'server/access',
  ],

  'server/sessions': feature,
  'server/files': feature,
  'server/downloads': feature,
  'server/archives': [...feature, 'server/workers'],
  'server/previews': [...feature, 'server/programs'],
  'server/uploads': feature,
  'server/shares': feature,
  'server/search': feature,
  'server/subtitles': [...feature, 'server/workers'],
  'server/shell': feature,
  'server/users': feature,
  'server/settings': feature,
  'server/events': feature,
  'server/page': feature,
  'server/health': feature,
  'server/hooks': feature,
  'server/openapi': feature,
  'server/audit': feature,

  'server/takeover': [domain],

  'server/config': [domain, contract],
  'server/idle-memory.ts': [],
  'server/logging.ts': [domain],
  'server/parent-pipe.ts': [],
  'server/cli': [domain, contract, 'server/records', 'server/auth', 'server/access', 'server/config'],
  'server/composition': composed,
  'server/build.ts': ['server/composition', 'server/idle-memory.ts', 'server/logging.ts', ...composed],
  'server/main.ts': [
    domain,
    'server/build.ts',
    'server/cli',
    'server/config',
    'server/logging.ts',
    'server/parent-pipe.ts',
  ],

  'client/state': [domain, contract],
  'client/i18n': ['client/state'],
  'client/router': [domain, 'client/state'],
  'client/ui': ['client/i18n', 'client/state'],
  'client/styles': [],
  'client/api': [domain, contract, 'client/state'],
  'client/photos': ['client/api'],
  'client/listing': [domain, contract, 'client/ui', 'client/i18n', 'client/state'],
  'client/operations': [domain, contract, 'client/i18n', 'client/api', 'client/router', 'client/state'],
  'client/actions': [
    domain,
    contract,
    'client/ui',
    'client/i18n',
    'client/api',
    'client/router',
    'client/state',
    'client/operations',
  ],
  'client/features/login': screen,
  'client/features/clipboard': screen,
  'client/features/drag': screen,
  'client/features/editor': [...screen, 'client/features/viewers'],
  'client/features/files': [...screen, 'client/features/editor', 'client/features/viewers'],
  'client/features/prompts': screen,
  'client/features/shell': screen,
  'client/features/sidebar': screen,
  'client/features/search': screen,
  'client/features/settings': screen,
  'client/features/sharing': screen,
  'client/features/share-page': [...screen, 'client/features/viewers'],
  'client/features/uploads': screen,
  'client/features/viewers': screen,
  'client/app': [
    ...screen,
    'client/features/login',
    'client/features/clipboard',
    'client/features/drag',
    'client/features/editor',
    'client/features/files',
    'client/features/prompts',
    'client/features/shell',
    'client/features/sidebar',
    'client/features/search',
    'client/features/settings',
    'client/features/sharing',
    'client/features/share-page',
    'client/features/uploads',
  ],
  client: [...screen, 'client/app', 'client/styles'],
}

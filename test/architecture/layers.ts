const domain = 'shared/domain'
const contract = 'shared/contract'

/** What every feature of the server may import. Features import no feature: what one needs of another comes in through `build.ts`. */
const feature = [
  domain,
  contract,
  'server/turns',
  'server/storage',
  'server/records',
  'server/auth',
  'server/access',
  'server/changes',
  'server/http',
  'server/programs',
]

/** What the composition root may import: all that it puts together. */
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
]

/** What every screen of the client may import. */
const screen = [
  domain,
  contract,
  'client/ui',
  'client/i18n',
  'client/api',
  'client/router',
  'client/state',
  'client/listing',
  'client/operations',
  'client/actions',
]

/**
 * The rule of imports, the documentation of the modules and the source of the drawn map: each folder, with the folders it may
 * import. Files below a folder that has no entry of its own belong to the nearest one above; an entry may be one file. A folder that is not on the map,
 * or an import that is not on it, fails the build. Never loosen it to get by.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'shared/domain': [],
  'shared/contract': [domain],

  'server/turns': [domain],
  'server/workers': [domain],
  'server/programs': [domain],
  'server/storage': [domain, 'server/turns', 'server/workers'],
  'server/records': [domain, contract],
  'server/auth': [domain, contract, 'server/turns', 'server/workers', 'server/records', 'server/programs'],
  'server/changes': [domain, contract, 'server/storage'],
  'server/access': [domain, contract, 'server/turns', 'server/storage', 'server/records', 'server/changes'],
  'server/http': [
    domain,
    contract,
    'server/turns',
    'server/storage',
    'server/records',
    'server/auth',
    'server/access',
  ],

  'server/sessions': feature,
  'server/files': feature,
  'server/downloads': feature,
  'server/archives': [...feature, 'server/workers'],
  'server/previews': feature,
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

  'server/config': [domain, contract],
  'server/logging.ts': [domain],
  'server/parent-pipe.ts': [],
  'server/cli': [domain, contract, 'server/records', 'server/auth', 'server/access', 'server/config'],
  'server/build': composed,
  'server/build.ts': ['server/build', 'server/logging.ts', ...composed],
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
  'client/features/files': screen,
  'client/features/prompts': screen,
  'client/features/uploads': screen,
  'client/app': [
    ...screen,
    'client/features/login',
    'client/features/files',
    'client/features/prompts',
    'client/features/uploads',
  ],
  client: [...screen, 'client/app', 'client/styles'],
}

/** A difference from File Browser that people, administrators or scripts can notice. */
export type Difference = {
  readonly subject: string
  readonly original: string
  readonly ours: string
  /** The number of the decision record that explains the difference, or the path of the test that shows it. */
  readonly source: string
  /** Words of the source that state the difference. A test finds them there. */
  readonly quote: string
}

/** The differences, grouped by who notices them. */
export const differences: Readonly<Record<string, readonly Difference[]>> = {
  'For everybody': [
    {
      subject: 'Links of shares',
      original: 'A link shows whatever is at its path.',
      ours: 'A link follows its file when it is moved, and ends when the file is deleted or replaced by a new one.',
      source: '0013',
      quote: 'Deleting the entry ends the share.',
    },
    {
      subject: 'Shares through linked folders',
      original: 'The answer to a new share names the requested path.',
      ours: 'The answer names the real path of the entry.',
      source: '0036',
      quote: 'names the real path of the entry',
    },
    {
      subject: 'Subtitles',
      original: '*Movie 1* also gets the subtitles of *Movie 10*.',
      ours: 'A film gets the subtitles whose names begin with its name as whole words.',
      source: '0037',
      quote: 'The subtitles of a film are those whose names begin with the film',
    },
    {
      subject: 'Copies of folders with links',
      original: 'Links are copied or followed, by version.',
      ours: 'A link to an entry that rules hide is left out, like a link out of the scope.',
      source: '0035',
      quote: 'a link to an entry that rules hide is left out',
    },
    {
      subject: 'Name of the top folder',
      original: 'The name of the folder on the server.',
      ours: 'Empty: the name of a scope is private.',
      source: '0035',
      quote: "The root's `name` is `''`",
    },
    {
      subject: 'Interrupted uploads',
      original: 'Uploads in parts are forgotten after some minutes or a restart.',
      ours: 'They continue, also after a restart, for a day.',
      source: '0017',
      quote: 'survives a restart',
    },
  ],
  'For administrators': [
    {
      subject: 'Accounts after a takeover',
      original: 'In early versions, a scope can be any folder of the machine.',
      ours: 'An account is disabled when its scope could show another folder than before, or when rules may have hidden a part of the served folder by longer paths. Administrators are never disabled. A user whose name is taken in other letters, or is not allowed, is left out. The report names each.',
      source: '0120',
      quote:
        'disables an account whose scope contained the served folder only when a rule may have hidden something',
    },
    {
      subject: '`users import` of early exports',
      original: 'The scope is stored as it is written.',
      ours: 'The served folder must be named with `-r` when a scope may be a folder of the machine. A user whose scope contained the served folder is disabled, because rules may be imported later.',
      source: '0120',
      quote: 'refuses such a file without `-r`',
    },
    {
      subject: 'Lifetime of sessions',
      original: 'Any `tokenExpirationTime`; a login cannot be ended before.',
      ours: 'At most 30 days; a longer value counts as 30 days, with a warning.',
      source: '0037',
      quote: 'No session lasts longer than 30 days',
    },
    {
      subject: 'End of sessions',
      original: 'A token is valid until it expires.',
      ours: 'The end of a session takes effect at once, also on transfers.',
      source: '0006',
      quote: 'The end of a session takes effect at once',
    },
    {
      subject: 'Unused sessions',
      original: 'Their open sockets stay open.',
      ours: 'The sockets end with the session. A running transfer counts as use.',
      source: '0035',
      quote: 'A session that expires without use ends for its sockets.',
    },
    {
      subject: 'Commands of users',
      original: 'Commands run with the rights of the server.',
      ours:
        'A takeover keeps the switch that later versions stored. Otherwise they are off until `--disableExec=false`. They run in a ' +
        'sandbox, and only programs that the list names exactly.',
      source: '0079',
      quote: 'Commands and hooks follow the switch of later versions, else they are off.',
    },
    {
      subject: 'Hooks that a shell reads',
      original: 'File names are put into the text of the command.',
      ours: 'File names are variables of the environment, so that no name is run as a command.',
      source: '0019',
      quote: 'the values are variables',
    },
    {
      subject: 'Rules',
      original: 'In early versions, a rule for `/docs` also matches `/docs2`.',
      ours: '`/docs` matches `/docs` and what is in it. A takeover adds a second rule where the first denied more.',
      source: '0079',
      quote: 'are denied by second rules',
    },
    {
      subject: 'Absolute scopes',
      original: 'In early versions, `/media/x` is a folder of the machine.',
      ours: 'A scope is always below the served folder. The report of the takeover names each such user.',
      source: '0079',
      quote: 'Any other host path is confined',
    },
    {
      subject: 'Users of a proxy or login program',
      original: 'They are created from the defaults of new users.',
      ours: 'They get the defaults without *admin* and *execute*.',
      source: '0012',
      quote: 'without the\npermissions *admin* and *execute*',
    },
    {
      subject: 'Reverse proxies',
      original: '`Host` does not matter.',
      ours:
        'The proxy passes on the address in the browser (`Host`, or `X-Forwarded-Host` and `-Port` from `--auth.trustedProxies`), ' +
        'or `--trustedOrigins` names it. The refusal names both addresses.',
      source: '0114',
      quote: 'Many configurations of proxies drop\nthe port',
    },
    {
      subject: 'Frames',
      original: 'Every page may show it in a frame.',
      ours: 'No page may, except those of `--frameAncestors`.',
      source: '0114',
      quote: '`--frameAncestors` names the pages that may show this server in a frame',
    },
    {
      subject: 'No login, with a public name',
      original: 'Every visitor is logged in.',
      ours: 'The login is refused at a public name, unless `--trustedOrigins` names it.',
      source: '0113',
      quote: 'now needs\n`--trustedOrigins https://files.example.org`',
    },
    {
      subject: 'Home folders of names without Latin letters',
      original: 'There is none, and the account cannot be created.',
      ours: 'They keep the letters of the name.',
      source: '0115',
      quote: 'keeps the letters and digits of its script',
    },
    {
      subject: 'Trash',
      original: 'There is none.',
      ours: 'There is none yet, and its setting has no effect.',
      source: '0035',
      quote: 'Until the trash exists, its setting has no effect.',
    },
    {
      subject: 'Report an issue',
      original: 'A link to the project.',
      ours: 'Hidden until `branding.reportIssueURL` is set.',
      source: '0037',
      quote: '`branding.reportIssueURL` is empty by default',
    },
    {
      subject: 'State of File Browser 1',
      original: 'Imported by `upgrade`, up to 2.46.',
      ours: 'Refused. Migrate it with such a version first.',
      source: '0037',
      quote: '`upgrade --old.database --old.config` does not exist.',
    },
    {
      subject: 'Case of names',
      original: '–',
      ours: 'Examined for the disk of the served folder, and not for other disks that are mounted below it.',
      source: '0037',
      quote: 'Whether a disk folds the case of names is examined in the root of the volume.',
    },
  ],
  'For scripts and other programs': [
    {
      subject: 'Names in archives',
      original: 'Names are packed as they are.',
      ours: 'Backslashes, control characters and the colon of a drive letter are replaced: `a:b.txt` is `a_b.txt` in the archive.',
      source: 'src/server/archives/members/member-names.test.ts',
      quote: 'the colon of a drive letter is replaced',
    },
    {
      subject: 'SIGHUP',
      original: 'Ends the server.',
      ours: 'Opens the log files again, and reads a renewed certificate. It ends a server whose terminal was closed.',
      source: 'test/e2e/process.test.ts',
      quote: 'SIGHUP after a rename of the log opens the log again, and the server goes on',
    },
    {
      subject: 'Base URL',
      original: 'The text is taken as it is.',
      ours: 'Of a whole address, such as `https://host/files`, only the path counts, with a warning.',
      source: 'src/server/config/load-config.test.ts',
      quote: 'only the path counts as the base path',
    },
    {
      subject: 'Paths with `..`',
      original: 'In early versions, they lead out of the scope.',
      ours: 'Refused.',
      source: 'test/matrix/hidden-paths.test.ts',
      quote: 'a path to above the scope, in any notation',
    },
    {
      subject: '`DELETE /api/resources`',
      original: 'In most versions, it deletes all files of the user.',
      ours: 'Refused.',
      source: 'test/clients/golden-files.test.ts',
      quote: 'is refused, and nothing is lost',
    },
    {
      subject: 'Wrong method',
      original: '405, and in later versions mostly 404.',
      ours: '405 with the allowed methods.',
      source: 'src/server/http/malformed.test.ts',
      quote: '405 lists the allowed methods',
    },
    {
      subject: 'Login, signup, renewal',
      original: 'Any method.',
      ours: 'POST only. All known clients send POST.',
      source: '0035',
      quote: '`/api/login`, `/api/signup` and `/api/renew` accept POST only',
    },
    {
      subject: 'Cookie `auth`',
      original: 'In early versions, it authorises changes.',
      ours: 'It authorises reading. Changes need the header `X-Auth`.',
      source: '0007',
      quote: 'Changes require the header.',
    },
    {
      subject: 'Token in the address, for files',
      original: 'Early versions accept `?auth=`, and later ones refuse it.',
      ours: 'Accepted for reading files, previews and subtitles and for running commands, until `--disableTokenInUrl`.',
      source: 'src/server/http/admission.test.ts',
      quote: 'a token in the URL allows GET of files',
    },
    {
      subject: 'Token in the address, for other calls',
      original: 'Early versions accept `?auth=`, and later ones refuse it.',
      ours: '401. These calls need the header `X-Auth`.',
      source: 'src/server/http/admission.test.ts',
      quote: 'a token in the URL is ignored by other endpoints',
    },
    {
      subject: 'Requests of other sites',
      original: 'Accepted with a valid token.',
      ours:
        'Changes, sockets and embedded files are answered with 403 when `Sec-Fetch-Site` names another site, or, without ' +
        'that header, when `Origin` is neither the address of the request nor in `--trustedOrigins`.',
      source: '0007',
      quote: 'by `Origin` where the browser does not send that header',
    },
    {
      subject: 'Token of a link with a password',
      original: 'It never expires.',
      ours: 'It works for 12 to 18 hours, or for ever with `--permanentShareTokens`. Tokens that were taken over do not expire.',
      source: '0115',
      quote: '`--permanentShareTokens` keeps tokens that never expire',
    },
    {
      subject: 'Failed logins',
      original: 'Any number.',
      ours:
        'From one address, 5 a minute and 30 an hour for an account, and 20 a minute for all accounts; then 429 with ' +
        '`Retry-After`, also for the right password.',
      source: 'src/server/auth/throttle.test.ts',
      quote: 'the sixth try within a minute is refused, even with the right password',
    },
    {
      subject: 'Many or large requests',
      original: 'There are few limits.',
      ours: 'Requests above a limit wait, or are answered with 413, 429 or 503.',
      source: '0022',
      quote: 'each limit, the answer just below it and the answer beyond it',
    },
    {
      subject: 'Calls of File Browser 1',
      original: 'Version 2 does not have them.',
      ours: '404, as in version 2.',
      source: '0133',
      quote: 'The calls of File Browser 1',
    },
    {
      subject: '`/health`, previews, manifest',
      original: 'JSON without its type; the extension of a preview is that of the file.',
      ours: 'The declared types are true, and the colours are those of the theme.',
      source: '0035',
      quote: '`/health` is JSON and declares it',
    },
    {
      subject: 'Renewal of tokens',
      original: 'Times are compared in whole seconds.',
      ours: 'A change of the user in the second of the login is noticed, too.',
      source: '0035',
      quote: 'A token is also renewed after a change of its user in the second',
    },
    {
      subject: '`null` in bodies',
      original: 'Differs by call.',
      ours: 'A null member equals a missing one wherever it may be missing.',
      source: '0037',
      quote: 'A null member of a body equals a missing member',
    },
    {
      subject: 'Description of the API',
      original: 'There is none.',
      ours: '`/api/openapi.json`; lines of streamed answers are described by `x-itemSchema`.',
      source: '0037',
      quote: '`x-itemSchema` describes a line of an NDJSON answer',
    },
  ],
}

import type { LimitTestReference } from './limit.ts'

/**
 * Limits that are tested in other files, because their tests need a controlled clock, a separate process or smaller
 * numbers. Each limit is listed with the tests that check the outcome below and beyond it.
 */
export const elsewhere: readonly LimitTestReference[] = [
  {
    limit: 'thirty logins of an account fail at an address in an hour; refused ones do no work',
    shownBy: {
      'src/server/auth/throttle.test.ts': [
        'the thirty-first try within an hour is refused',
        'refused tries run no work and do not count',
        'right passwords are never counted, however many arrive concurrently',
        'a restart keeps the counts',
      ],
    },
  },
  {
    limit: 'signups are counted over a restart',
    shownBy: {
      'src/server/auth/success-limit.test.ts': ['a restart keeps current counts and drops expired ones'],
    },
  },
  {
    limit: 'a session ends after 30 days, however much it is used',
    constants: ['sessionMs'],
    shownBy: {
      'src/server/auth/sessions.test.ts': [
        'a session lasts at most 30 days, however much it is used and however long it may be idle',
      ],
    },
  },
  {
    limit: 'two passwords are hashed at once and 64 wait; the next is 503',
    shownBy: { 'src/server/auth/passwords.test.ts': ['requests beyond the queue are refused at once'] },
  },
  {
    limit: 'of one person’s checksums two are made and eight wait for 10 s',
    constants: ['checksumsAtOnce', 'checksumsWaiting', 'checksumPatienceMs', 'archivePatienceMs'],
    shownBy: {
      'src/server/files/checksum.test.ts': [
        'a user can compute two checksums at once and have eight more wait',
      ],
      'src/server/concurrency/keyed-limiter.test.ts': [
        'a task that waited too long or was aborted gets no slot',
      ],
    },
  },
  {
    limit: 'of one person’s small new files twenty are put at once, and the others wait',
    constants: ['smallUploadsAtOnce'],
    shownBy: {
      'src/server/access/with-upload-limiters.test.ts': [
        'of 21 concurrent small files of one user the last one waits',
      ],
    },
  },
  {
    limit: 'of one person’s previews eight are made, and the others wait',
    constants: ['previewsAtOnce'],
    shownBy: {
      'src/server/previews/make-preview.test.ts': [
        'one user has at most eight conversions running or waiting for a process, and other users are not delayed',
      ],
    },
  },
  {
    limit: 'a preview has 30 s and 256 MB, and is refused by its header before anything is decoded',
    shownBy: {
      'src/server/previews/converter-pool.test.ts': [
        'security 3.8: a conversion that takes too long is ended',
        'security 3.8: an image that needs too much memory is refused, and the next image is converted',
      ],
      'src/server/previews/show-preview.test.ts': [
        'an image of more than 100 megapixels is refused by its header',
        'SVG and formats that are not converted are sent unchanged',
      ],
    },
  },
  {
    limit: 'a quota holds for parts, copies and saves, and for many at once',
    shownBy: {
      'src/server/access/quota/quota.test.ts': [
        'of many concurrent uploads only as many succeed as fit together',
        'an upload in parts reserves its space from its start to its end',
        'a save over a file counts only the growth of the file',
        'the size of a tree is measured before it is copied, including the targets of its links',
      ],
      'src/server/access/quota/scope-usage.test.ts': [
        'the size of the file to be replaced is not deducted once that file is gone',
        'an upload that another server continues has its space reserved there from its next part on',
      ],
    },
  },
  {
    limit: 'a truncated search says so in its last line',
    constants: ['searchHits'],
    shownBy: {
      'src/server/search/hit-formats.test.ts': [
        'a search with %i hits of at most %i is truncated, which the last line says',
      ],
    },
  },
  {
    limit: 'a session lasts two hours without use',
    shownBy: { 'src/server/auth/sessions.test.ts': ['a session ends after two hours without use'] },
  },
  {
    limit: 'a socket is gone after 60 s without an answered ping, and frees its place; a person has so many',
    constants: ['socketIdleMs', 'socketsPerUser'],
    shownBy: {
      'src/server/http/sockets.test.ts': [
        'a socket that answers no ping is terminated',
        'the sockets of one user are limited, and a closed socket is no longer counted',
      ],
    },
  },
  {
    limit: 'a refused body is read on for a while, and no longer; a reader who takes nothing is cut off',
    constants: ['drainBytes', 'drainMs', 'sendIdleMs'],
    shownBy: {
      'src/server/http/upload.test.ts': [
        'the connection of a refused upload without end is closed after the refusal',
        'the connection of a refused upload that stalls is closed',
      ],
      'src/server/http/download.test.ts': ['the connection of a client that reads nothing is closed'],
    },
  },
  {
    limit: 'of one person’s commands one runs, and three sockets are open',
    constants: ['commandsAtOnce', 'commands.socketsPerUser'],
    shownBy: {
      'src/server/concurrency/keyed-limiter.test.ts': [
        'each key has its own number of slots, and its waiting tasks start in order',
      ],
      'src/server/shell/handshake.test.ts': ['a user may have three sockets, and a closed one makes room'],
    },
  },
  {
    limit: 'four hooks run in the background; more wait, and one more than may wait is not begun',
    constants: ['hooks.maxConcurrent', 'hooks.maxQueued'],
    shownBy: {
      'src/server/hooks/hook-runner.test.ts': [
        'background lines are not waited for: four run at the same time, and further ones wait',
        'a background line is refused when too many wait',
      ],
    },
  },
  {
    limit: 'work stops within 5 s after its client has left',
    shownBy: {
      'src/server/previews/converter-pool.test.ts': ['an aborted conversion ends within 5 seconds'],
      'src/server/archives/archives.test.ts': ['a client that disconnects frees its slot'],
      'src/server/files/checksum.test.ts': ['if the aborted requests were still being processed'],
      'src/server/search/search.test.ts': ['the search ends when the client disconnects'],
    },
  },
]

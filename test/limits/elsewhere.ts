import type { LimitElsewhere } from './limit.ts'

/** What needs a clock that is turned, a process of its own, or smaller numbers: the tests that show both sides of it. */
export const elsewhere: readonly LimitElsewhere[] = [
  {
    limit: 'thirty logins of an account fail at an address in an hour; refused ones do no work',
    shownBy: {
      'src/server/auth/throttle.test.ts': [
        'the thirty-first try within an hour is refused',
        'refused tries do no work and do not count',
        'right passwords are never counted, however many come at once',
        'a restart begins nothing anew',
      ],
    },
  },
  {
    limit: 'signups are counted over a restart',
    shownBy: {
      'src/server/auth/success-limit.test.ts': ['a restart begins nothing anew, and forgets what is old'],
    },
  },
  {
    limit: 'a session ends after 30 days, however much it is used',
    constants: ['sessionMs'],
    shownBy: {
      'src/server/auth/sessions.test.ts': [
        'nothing makes a session last longer than 30 days, neither use nor a longer time without',
      ],
    },
  },
  {
    limit: 'two passwords are hashed at once and 64 wait; the next is 503',
    shownBy: { 'src/server/auth/passwords.test.ts': ['what does not fit the queue is refused at once'] },
  },
  {
    limit: 'of one person’s checksums two are made and eight wait for 10 s',
    constants: ['checksumsAtOnce', 'checksumsWaiting', 'checksumPatienceMs', 'archivePatienceMs'],
    shownBy: {
      'src/server/files/checksum.test.ts': ['two checksums at once for each user, eight more wait'],
      'src/server/turns/turns.test.ts': ['whoever has waited too long, or has gone, takes no place'],
    },
  },
  {
    limit: 'of one person’s small new files twenty are put at once, and the others wait',
    constants: ['smallUploadsAtOnce'],
    shownBy: {
      'src/server/access/with-upload-turns.test.ts': [
        'of twenty-one small files of one person the last waits',
      ],
    },
  },
  {
    limit: 'of one person’s previews eight are made, and the others wait',
    constants: ['previewsAtOnce'],
    shownBy: {
      'src/server/previews/make-preview.test.ts': [
        'eight of one person are at work or wait for a process; others go before the rest',
      ],
    },
  },
  {
    limit: 'a preview has 30 s and 256 MB, and is refused by its header before anything is decoded',
    shownBy: {
      'src/server/previews/converters.test.ts': [
        'security 3.8: what takes too long is ended',
        'security 3.8: what needs too much memory is refused, and the next image is fine',
      ],
      'src/server/previews/show-preview.test.ts': [
        'an image of more than 100 megapixels is refused by its header',
        'SVG is not rendered',
      ],
    },
  },
  {
    limit: 'a quota holds for parts, copies and saves, and for many at once',
    shownBy: {
      'src/server/access/quota/quota.test.ts': [
        'of many at once only so many pass as fit together',
        'an upload in parts has its room from its beginning to its end',
        'a save counts by what it makes larger',
        'a tree is sized before it is copied, files that its links lead to as well',
      ],
      'src/server/access/quota/scope-count.test.ts': [
        'what a file is put over is no credit once it is gone',
        'an upload that another server goes on with has its room there from its next part',
      ],
    },
  },
  {
    limit: 'a search that is cut off says so',
    constants: ['searchHits'],
    shownBy: {
      'src/server/search/hit-pieces.test.ts': ['a search that is cut off says so in its last line'],
    },
  },
  {
    limit: 'a session lasts two hours without use',
    shownBy: { 'src/server/auth/sessions.test.ts': ['two hours without use end it'] },
  },
  {
    limit: 'a socket is gone after 60 s without an answered ping, and frees its place; a person has so many',
    constants: ['socketIdleMs', 'socketsPerUser'],
    shownBy: {
      'src/server/http/sockets.test.ts': [
        'a socket that answers no ping is gone',
        'a user has so many sockets, and one that is gone frees its place',
      ],
    },
  },
  {
    limit: 'a refused body is read on for a while, and no longer; a reader who takes nothing is cut off',
    constants: ['drainBytes', 'drainMs', 'sendIdleMs'],
    shownBy: {
      'src/server/http/upload.test.ts': [
        'a refused upload without end is cut off behind its refusal',
        'a refused upload that stalls is cut off, too',
      ],
      'src/server/http/download.test.ts': ['a client that takes nothing is cut off'],
    },
  },
  {
    limit: 'of one person’s commands one runs, and three sockets are open',
    constants: ['commandsAtOnce', 'commands.socketsPerUser'],
    shownBy: {
      'src/server/turns/turns.test.ts': ['so much at once for each user, and the others in their order'],
      'src/server/shell/handshake.test.ts': ['a person has three sockets; one that is gone frees its place'],
    },
  },
  {
    limit: 'four hooks run in the background; more wait, and one more than may wait is not begun',
    constants: ['hooks.atOnceInBackground', 'hooks.mostWaiting'],
    shownBy: {
      'src/server/hooks/run-hooks.test.ts': [
        'lines in the background are not waited for; four run at once, and more wait',
        'with too many waiting, one more is not begun',
      ],
    },
  },
  {
    limit: 'work stops within 5 s after its client has left',
    shownBy: {
      'src/server/previews/converters.test.ts': ['work that nobody waits for ends within 5 seconds'],
      'src/server/archives/archives.test.ts': ['a client that leaves frees its place'],
      'src/server/files/checksum.test.ts': ['The work of those who have left has ended'],
      'src/server/search/search.test.ts': ['which ends when the client has left'],
    },
  },
]

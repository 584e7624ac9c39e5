import type { LimitTestReference } from './limit.ts'

/**
 * Limits that are tested in other files, because their tests need a controlled clock, a separate process or smaller
 * numbers. Each limit is listed with the tests that check the outcome below and beyond it.
 */
export const limitsTestedElsewhere: readonly LimitTestReference[] = [
  {
    limit: 'the times of pictures are listed for a folder of at most 20,000 entries',
    limitNames: ['takenTimesEntries'],
    tests: {
      'src/server/previews/taken/list-taken-times.test.ts': ['a folder with too many entries is refused'],
    },
  },
  {
    limit: 'a logo has at most 256 KiB',
    limitNames: ['logoBytes'],
    tests: {
      'src/server/settings/settings.test.ts': [
        'an uploaded logo takes the place of the one in the branding folder, runs nothing, and can be removed',
      ],
    },
  },
  {
    limit: 'every field of a query and of a JSON body, and every header, has a limit with two sides',
    limitNames: [
      'optionCharacters',
      'writtenPathCharacters',
      'filterCharacters',
      'commandLineCharacters',
      'listedWords',
      'recordMembers',
    ],
    tests: {
      'test/limits/request-fields.test.ts': [
        'every text, list, number and object of a request has a limit',
        '$name has two sides',
        'the header %s may have %i characters',
      ],
    },
  },
  {
    limit: 'an account may fail thirty logins from one address in an hour, and refused logins do no work',
    tests: {
      'src/server/auth/throttle.test.ts': [
        'the thirty-first try within an hour is refused',
        'refused tries run no work and do not count',
        'right passwords are never counted, however many arrive concurrently',
        'a restart keeps the counts',
      ],
    },
  },
  {
    limit: 'an upload-only share receives 50 files at the same time, 10 of them from one network',
    limitNames: ['receptionsOfNetwork', 'receptionsOfShare'],
    tests: {
      'src/server/shares/drops.test.ts': [
        'the files that a share receives at the same time are limited, those of one network to a part of them',
      ],
    },
  },
  {
    limit: 'an upload-only share takes 10,000 files, of which 1000 are listed',
    limitNames: ['receivedFiles', 'listedReceivedFiles'],
    tests: {
      'src/server/records/received-files.test.ts': [
        'a share without a limit takes no more than 10,000 files',
      ],
      'src/server/shares/drops.test.ts': ['limits can be set, changed and removed, and are checked'],
    },
  },
  {
    limit: 'a guest has 100 characters for the name and 1000 for the note',
    limitNames: ['guestNameCharacters', 'guestNoteCharacters'],
    tests: {
      'src/server/shares/drops.test.ts': ['needs a size, and words that are bounded plain text'],
    },
  },
  {
    limit: 'a share shows its guests a name of at most 60 characters',
    limitNames: ['senderNameCharacters'],
    tests: { 'src/server/shares/change-share.test.ts': ['a name of 60 characters is shown to guests'] },
  },
  {
    limit: 'an alias of a share has 9 to 40 characters, and a user has 1000 of them in all',
    limitNames: ['minAliasCharacters', 'aliasCharacters'],
    tests: {
      'src/shared/domain/limits/share-alias.test.ts': ['may be an alias'],
      'src/server/shares/aliases.test.ts': ['is refused by its form'],
      'src/server/records/shares.test.ts': ['a user may have 1000 aliases in all'],
    },
  },
  {
    limit: 'a share with a limit allows at most 10,000 downloads',
    limitNames: ['limitedDownloads'],
    tests: { 'src/server/shares/limits-of-downloads.test.ts': ['the limit %j is refused'] },
  },
  {
    limit: 'the counts of signups survive a restart',
    tests: {
      'src/server/auth/success-limit.test.ts': ['a restart keeps current counts and drops expired ones'],
    },
  },
  {
    limit: 'a session ends after 30 days, however much it is used',
    limitNames: ['sessionMs'],
    tests: {
      'src/server/auth/sessions.test.ts': [
        'a session lasts at most 30 days, however much it is used and however long it may be idle',
      ],
    },
  },
  {
    limit: 'two passwords are hashed concurrently, 64 wait, and the next is refused with 503',
    tests: { 'src/server/auth/passwords.test.ts': ['requests beyond the queue are refused at once'] },
  },
  {
    limit: 'a user may have two checksums in progress and eight waiting for up to 10 s',
    limitNames: ['concurrentChecksums', 'checksumsWaiting', 'checksumPatienceMs', 'archivePatienceMs'],
    tests: {
      'src/server/files/checksum.test.ts': [
        'a user can compute two checksums concurrently while eight more wait',
      ],
      'src/server/concurrency/keyed-limiter.test.ts': [
        'a task that waited too long or was aborted gets no slot',
      ],
    },
  },
  {
    limit: 'a user may have twenty small uploads in progress, and further ones wait',
    limitNames: ['concurrentSmallUploads'],
    tests: {
      'src/server/access/concurrent-uploads-policy.test.ts': [
        'of 21 concurrent small files of one user the last one waits',
      ],
    },
  },
  {
    limit: 'a user may have eight previews in progress, and further ones wait',
    limitNames: ['concurrentPreviews'],
    tests: {
      'src/server/previews/make-preview.test.ts': [
        'one user has at most eight conversions running or waiting for a process, and other users are not delayed',
      ],
    },
  },
  {
    limit: 'a preview may take 30 s and 256 MB, and too large an image is refused before it is decoded',
    tests: {
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
    limit: 'a quota applies to partial uploads, copies and saves, also when they are concurrent',
    tests: {
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
    limit: 'the last line of a truncated search reports the truncation',
    limitNames: ['searchHits'],
    tests: {
      'src/server/search/hit-formats.test.ts': [
        'a search with %i hits of at most %i is truncated, which the last line reports',
      ],
    },
  },
  {
    limit: 'a session ends after two hours without use',
    tests: { 'src/server/auth/sessions.test.ts': ['a session ends after two hours without use'] },
  },
  {
    limit:
      'a socket without a pong for 60 s is closed and no longer counts, and the sockets of a user are limited',
    limitNames: ['socketIdleMs', 'socketsPerUser'],
    tests: {
      'src/server/http/sockets.test.ts': [
        'a socket that does not respond to pings is terminated',
        'the sockets of one user are limited, and a closed socket is no longer counted',
      ],
    },
  },
  {
    limit: 'a socket is read at 20 messages a second, and closed when its client sends without reading',
    limitNames: ['socketMessagesPerSecond', 'socketUnreadBytes'],
    tests: {
      'src/server/http/sockets.test.ts': [
        'only a number of messages is read in a second, and none of them is lost',
        'a socket whose client sends without reading is closed',
      ],
    },
  },
  {
    limit: 'the folders, messages, absent clients and running work of the clients of events are bounded',
    limitNames: [
      'events.foldersPerClient',
      'events.foldersPerUser',
      'events.folders',
      'events.absenceMs',
      'events.absentClientsPerUser',
      'events.absentClients',
      'events.storedMessages',
      'events.storedCharactersPerClient',
      'events.storedCharacters',
      'events.sentCharactersPerClient',
      'events.sentCharacters',
      'events.unreadBytesPerClient',
      'events.unreadBytes',
      'events.concurrentWork',
    ],
    tests: {
      'src/server/events/connections.test.ts': [
        'the watches of a client that does not return within a minute are released',
      ],
      'src/server/events/event-limits.test.ts': [
        'the clients that may return are limited for each user and in total',
        'the folders of one client, of one user and of all clients are limited',
        'the stored messages of one client and of all clients are limited',
        'a client that does not read is disconnected, and earlier when all clients together do not',
        'the work for the clients of one user is limited',
      ],
      'src/server/events/sent-states.test.ts': ['what was sent to one client and to all clients is limited'],
    },
  },
  {
    limit: 'a refused body is read for a limited time, and a client that does not read is disconnected',
    limitNames: ['drainBytes', 'drainMs', 'sendIdleMs'],
    tests: {
      'src/server/http/upload.test.ts': [
        'the connection of a refused upload that does not end is closed after the failure response',
        'the connection of a refused upload that stalls is closed',
      ],
      'src/server/http/download.test.ts': ['the connection of a client that reads nothing is closed'],
    },
  },
  {
    limit: 'a user may run one command at a time and have three command sockets',
    limitNames: ['concurrentCommands', 'commands.socketsPerUser'],
    tests: {
      'src/server/concurrency/keyed-limiter.test.ts': [
        'each key has its own number of slots, and its waiting tasks start in order',
      ],
      'src/server/shell/handshake.test.ts': [
        'a user may have three sockets, and closing one of them allows another socket',
      ],
    },
  },
  {
    limit: 'four hooks run in the background, further hooks wait, and a hook beyond the queue is not started',
    limitNames: ['hooks.maxConcurrent', 'hooks.maxQueued', 'hooks.maxOfUser'],
    tests: {
      'src/server/hooks/hook-runner.test.ts': [
        'background lines are not waited for: four run at the same time, and further ones wait',
        'a background line is refused when too many wait',
        'the changes of one user leave room for the background lines of others',
      ],
    },
  },
  {
    limit: 'work stops within 5 s after its client has disconnected',
    tests: {
      'src/server/previews/converter-pool.test.ts': ['an aborted conversion ends within 5 seconds'],
      'src/server/archives/archives.test.ts': ['a client that disconnects frees its slot'],
      'src/server/files/checksum.test.ts': ['if the aborted requests were still being processed'],
      'src/server/search/search.test.ts': ['the search ends when the client disconnects'],
    },
  },
  {
    limit:
      'an archive that is read has at most 500,000 members, a list 100,000, and a user reads four at a time',
    limitNames: ['archiveMembers', 'listedArchiveMembers', 'concurrentArchiveReads'],
    tests: {
      'src/server/archives/archive-limits.test.ts': [
        'the list of an archive with %i members is truncated',
        'an archive with more than 500,000 members is neither listed nor extracted, and labels count as members',
        'four archives are read at the same time for a user, and the fifth waits',
      ],
    },
  },
  {
    limit:
      'the paths of an archive that is read have at most 64 million characters, those of a list 8 million',
    limitNames: ['archivePathCharacters', 'listedArchivePathCharacters'],
    tests: {
      'src/server/archives/archive-limits.test.ts': [
        'paths of %i characters are listed, and one more is not',
      ],
      'test/faults/archive-attacks.test.ts': ['lists of archives with long names are small'],
    },
  },
]

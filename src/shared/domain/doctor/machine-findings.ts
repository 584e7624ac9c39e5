import type { FindingSeverity } from './proxy-findings.ts'

/** Something that the doctor can find on the machine of the server. */
export type MachineFinding = {
  readonly severity: FindingSeverity
  readonly title: string
  readonly sentence: string
  /** The act of the administrator that helps. */
  readonly remedy: string
}

const findingOf = <const Codes extends Readonly<Record<string, MachineFinding>>>(
  findings: Codes,
): Readonly<Record<keyof Codes, MachineFinding>> => findings

/**
 * Everything that `stowage doctor` checks on the machine of the server, by its code. The output of the command and
 * docs/doctor.md come from this table.
 */
export const machineFindings = findingOf({
  'root-missing': {
    severity: 'error',
    title: 'The served folder is missing',
    sentence: 'There is no folder at this path, or a folder above it cannot be entered.',
    remedy: 'Mount the disk, or name the folder with `-r` as an absolute path.',
  },
  'root-unreadable': {
    severity: 'error',
    title: 'The served folder cannot be read',
    sentence: 'The user of the server may not list or enter the served folder.',
    remedy:
      'Run the command as the user of the server. Give this user the permissions `r` and `x` for the folder.',
  },
  'root-not-writable': {
    severity: 'warning',
    title: 'The served folder cannot be written',
    sentence: 'The user of the server may read the served folder but not write to it, so that uploads fail.',
    remedy:
      'Give the user of the server the permission `w` for the folder, unless it is meant to be read only.',
  },
  'root-plain-disk': {
    severity: 'warning',
    title: 'The served folder is on a file system without permissions',
    sentence:
      'FAT and exFAT keep no permissions and refuse some names, and names there differ only in more than their case.',
    remedy: 'Move the files to a file system such as ext4, XFS, Btrfs or ZFS.',
  },
  'state-refused': {
    severity: 'error',
    title: 'The state cannot be used',
    sentence: 'The next start refuses the database for this reason.',
    remedy: 'Do what the reason says. Nothing is changed before that.',
  },
  'state-owner': {
    severity: 'error',
    title: 'The state belongs to another user',
    sentence:
      'The server cannot write this file or folder of its state, which is often so after a command was run as root.',
    remedy: 'Give the file to the user of the server with `chown`, and run commands as this user.',
  },
  'state-open': {
    severity: 'error',
    title: 'The state can be read by others',
    sentence:
      'Other users of the machine may read the database, which contains hashes of passwords and the signing key.',
    remedy: 'Take their permissions away: `chmod 600 FILE`.',
  },
  'state-served': {
    severity: 'error',
    title: 'Users could read the state',
    sentence:
      'The served folder shows this file of the server through another file system, such as a union of several disks, in which the server does not recognise it. The server does not start.',
    remedy: 'Serve a folder without it, such as a single share, or move the state out of the served folder.',
  },
  'state-network-disk': {
    severity: 'error',
    title: 'The database is on a network disk',
    sentence:
      'SQLite needs locks and shared memory that network file systems do not have, so that the database can be damaged.',
    remedy:
      'Move the database to a local disk, and name it with `-d`. The served folder may stay where it is.',
  },
  'state-not-kept': {
    severity: 'error',
    title: 'The database does not last',
    sentence:
      'The database is in memory or in the layer of a container, so that users and links are lost with the next start.',
    remedy: 'Mount a volume for the state, and name a file there with `-d`.',
  },
  'disk-full': {
    severity: 'error',
    title: 'A disk is almost full',
    sentence:
      'Less than 512 MiB are free where these files are, so that uploads and changes of the state fail soon.',
    remedy: 'Free some space, or move the files to a larger disk.',
  },
  'inodes-full': {
    severity: 'error',
    title: 'A disk can hold no more files',
    sentence:
      'Less than one in a hundred inodes is free where these files are, so that no files can be created soon.',
    remedy: 'Remove folders with very many small files, or move the files to another disk.',
  },
  'clock-behind': {
    severity: 'error',
    title: 'The clock is wrong',
    sentence:
      'A file was changed after the time that the clock shows, so that sessions, links and certificates end at wrong times.',
    remedy: 'Set the clock of the machine, and let a service such as `systemd-timesyncd` keep it.',
  },
  'memory-low': {
    severity: 'warning',
    title: 'There is little memory',
    sentence:
      'The server may use less than 128 MiB of memory, so that previews and archives are slow or fail.',
    remedy: 'Raise the limit of the container or of the service to 256 MiB.',
  },
  'open-files-low': {
    severity: 'warning',
    title: 'Few files may be open',
    sentence:
      'The server may have fewer than 4096 files open, of which each connection and each transfer needs one.',
    remedy: 'Raise the limit: `ulimit -n 65536`, or `LimitNOFILE=65536` in the service.',
  },
  'helpers-missing': {
    severity: 'warning',
    title: 'Programs are missing',
    sentence:
      'Without these programs there are no pictures of some kinds of files, or programs run without a sandbox.',
    remedy:
      'Install the packages: `bubblewrap` (bwrap), `util-linux` (prlimit), `ffmpeg`, `poppler-utils` (pdftoppm) and `libheif-examples` (heif-convert).',
  },
  'known-vulnerability': {
    severity: 'error',
    title: 'This version has a known vulnerability',
    sentence:
      'An advisory is about the version that is installed. It is in the last list that the server has received, because `--advisories` is set.',
    remedy: 'Read the advisory, and install a version that it names as fixed.',
  },
  'advisories-unread': {
    severity: 'warning',
    title: 'The list of known vulnerabilities could not be read',
    sentence:
      'The server asks for the list once a day, because `--advisories` is set, and received none the last time for this reason.',
    remedy:
      'Allow the machine to reach the address, or correct it. Where a proxy is needed, set `NODE_USE_ENV_PROXY=1` and `HTTPS_PROXY`.',
  },
  'database-missing': {
    severity: 'warning',
    title: 'There is no database',
    sentence: 'There is no database at this path or address. The first start creates one.',
    remedy: 'Name the database of the server with `-d`, or start the server once.',
  },
  'database-foreign': {
    severity: 'error',
    title: 'The database belongs to another program',
    sentence: 'The file or the schema is no database of Stowage.',
    remedy: 'Name another database with `-d`.',
  },
  'database-locked': {
    severity: 'warning',
    title: 'The database is locked',
    sentence: 'Another program keeps the database locked, so that it could not be checked.',
    remedy:
      'End the program that holds the lock, such as a tool that copies files, and run the command again.',
  },
  'database-unreadable': {
    severity: 'error',
    title: 'The database could not be read',
    sentence:
      'The system, SQLite or PostgreSQL refused to read the database for this reason, so that it could not be checked.',
    remedy: 'Run the command as the user of the server, and do what the reason says.',
  },
  'database-damaged': {
    severity: 'error',
    title: 'The database is damaged',
    sentence: 'SQLite finds faults in the file of the database.',
    remedy: 'Stop the server, check the disk, and restore the newest backup: `stowage restore FILE --force`.',
  },
  'database-newer': {
    severity: 'error',
    title: 'The database is newer than the program',
    sentence: 'A newer version of Stowage has written the database, so that this version does not open it.',
    remedy: 'Install the newer version again, or restore a backup that was made before the update.',
  },
  'backup-missing': {
    severity: 'warning',
    title: 'There is no backup',
    sentence: 'This folder contains no backup of the state.',
    remedy: 'Write one: `stowage backup FILE`. Name the folder of your backups with `--backups`.',
  },
  'backup-damaged': {
    severity: 'error',
    title: 'The newest backup cannot be restored',
    sentence: 'The newest backup was restored into a temporary folder, and this failed.',
    remedy: 'Write a new backup: `stowage backup FILE`. Keep the old ones until the new one was checked.',
  },
  'backup-unchecked': {
    severity: 'warning',
    title: 'The newest backup could not be checked',
    sentence: 'The newest backup was not restored or not compared for this reason. It may be sound.',
    remedy: 'Do what the reason says, and run the command again as the user of the server.',
  },
  'backup-behind': {
    severity: 'warning',
    title: 'The newest backup is behind the state',
    sentence:
      'The newest backup can be restored, but lacks some of the users, links or settings of the state.',
    remedy: 'Write backups more often, for example each night.',
  },
})

/** The code of something that the doctor can find on the machine of the server. */
export type MachineFindingCode = keyof typeof machineFindings

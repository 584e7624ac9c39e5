import type { ProxyFindingCode } from '../../src/shared/domain/doctor/proxy-findings.ts'

/** A configuration of nginx with one mistake: what the doctor has to find, and how the lines of the page become wrong. */
export type DoctorFault = {
  readonly title: string
  readonly code: ProxyFindingCode
  /** The section of docs/proxies/nginx.md that is changed. */
  readonly section: 'At the root' | 'Below a path' | 'With a certificate'
  readonly change: (configuration: string) => string
}

const without =
  (...lines: readonly string[]) =>
  (configuration: string): string =>
    lines.reduce((text, line) => text.replace(line, ''), configuration)

/** Adds lines to the location that leads to Stowage. */
const withLines =
  (lines: string) =>
  (configuration: string): string =>
    configuration.replace('proxy_http_version 1.1;', `proxy_http_version 1.1;\n${lines}`)

const atRoot = (title: string, code: ProxyFindingCode, change: DoctorFault['change']): DoctorFault => ({
  title,
  code,
  section: 'At the root',
  change,
})

/** The mistakes that are made one at a time. Two of them have two forms. */
export const doctorFaults: readonly DoctorFault[] = [
  atRoot('no limit for bodies is set', 'proxy-body-limit', without('client_max_body_size 0;')),
  atRoot('uploads are buffered', 'proxy-buffering', without('proxy_request_buffering off;')),
  // nginx passes chunks on as they come, and stores what has no chunks. HTTP/1.0 has none.
  atRoot('responses are buffered', 'proxy-buffering', without('proxy_http_version 1.1;')),
  atRoot('no timeout is set', 'proxy-timeout', without('proxy_read_timeout 1h;')),
  atRoot('Host is lost', 'proxy-host', without('proxy_set_header Host $http_host;')),
  {
    ...atRoot('the scheme is lost', 'proxy-scheme', without('proxy_set_header X-Forwarded-Proto $scheme;')),
    section: 'With a certificate',
  },
  atRoot(
    'no upgrade is passed on',
    'proxy-upgrade',
    without('proxy_set_header Upgrade $http_upgrade;', 'proxy_set_header Connection "upgrade";'),
  ),
  {
    ...atRoot('the base path is doubled', 'proxy-base-path', withLines('proxy_redirect / /files/;')),
    section: 'Below a path',
  },
  atRoot('ranges are dropped', 'proxy-ranges', withLines('proxy_set_header Range "";')),
  atRoot('files are compressed', 'proxy-compression', withLines('gzip on; gzip_types *; gzip_proxied any;')),
  atRoot('the proxy is not trusted', 'proxy-untrusted', withLines('proxy_bind 127.0.0.2;')),
  atRoot(
    'long request lines are refused',
    'proxy-header-size',
    without('large_client_header_buffers 4 64k;'),
  ),
  atRoot(
    'long headers of responses are refused',
    'proxy-header-size',
    without('proxy_buffer_size 32k;', 'proxy_buffers 4 32k;'),
  ),
  atRoot('methods are cut', 'proxy-methods', withLines('limit_except GET POST { deny all; }')),
  atRoot(
    'responses are cached',
    'proxy-cache',
    withLines(
      'proxy_cache stored; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;',
    ),
  ),
  atRoot('escapes are decoded', 'proxy-escapes', (configuration) =>
    configuration.replace(/proxy_pass ([^;]+);/, 'proxy_pass $1/;'),
  ),
  atRoot('X-Auth is stripped', 'proxy-token', withLines('proxy_set_header X-Auth "";')),
]

/** The proxies for which each finding has lines. */
export const explainedProxies = ['nginx', 'caddy', 'traefik'] as const

export type ExplainedProxy = (typeof explainedProxies)[number]

/** An error breaks something, and a warning makes something worse. */
export type FindingSeverity = 'error' | 'warning'

/** Something that the doctor can find between the browser and the server. */
export type ProxyFinding = {
  readonly severity: FindingSeverity
  /** The name of what is measured, which is shown for a good result as well. */
  readonly title: string
  /** The fault and its consequence. */
  readonly sentence: string
  /** The lines that help, for each proxy. They are not translated. */
  readonly lines: Readonly<Record<ExplainedProxy, string>>
  /** The option of Stowage that helps in place of the lines. `ADDRESS` stands for the address of the proxy. */
  readonly option?: string
}

const findingOf = <const Codes extends Readonly<Record<string, ProxyFinding>>>(
  findings: Codes,
): Readonly<Record<keyof Codes, ProxyFinding>> => findings

/**
 * Everything that the doctor measures between the browser and the server, by its code, in the order in which it is shown. The
 * page, its texts and docs/doctor.md come from this table.
 */
export const proxyFindings = findingOf({
  'proxy-token': {
    severity: 'error',
    title: 'Header X-Auth',
    sentence: 'The proxy removes the header X-Auth, so that logins do not last and changes are refused.',
    lines: {
      nginx: 'proxy_pass_request_headers on;\nproxy_set_header X-Auth $http_x_auth;',
      caddy: '# Remove this line from reverse_proxy:\n# header_up -X-Auth',
      traefik: '# Remove X-Auth from customRequestHeaders of the middleware "headers".',
    },
  },
  'proxy-base-path': {
    severity: 'error',
    title: 'Base path',
    sentence:
      'The proxy changes the base path in addresses, so that uploads and pages lead to wrong addresses.',
    lines: {
      nginx:
        'location /files/ {\n    proxy_pass http://127.0.0.1:8080;\n    proxy_redirect off;\n}\n# No path after the port. Stowage starts with -b /files.',
      caddy:
        '# handle instead of handle_path, and no "uri" or "rewrite":\nhandle /files/* {\n\treverse_proxy 127.0.0.1:8080\n}\n# Stowage starts with -b /files.',
      traefik:
        '# Remove the middlewares addPrefix, stripPrefix and replacePath from the router.\n# Stowage starts with -b /files.',
    },
  },
  'proxy-untrusted': {
    severity: 'error',
    title: 'Trust in the proxy',
    sentence:
      'The server does not trust the proxy, so that all visitors have the address of the proxy in the log and in limits.',
    lines: {
      nginx: 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      caddy: '# Caddy needs no further line.',
      traefik: '# Traefik needs no further line.',
    },
    option: '--auth.trustedProxies ADDRESS',
  },
  'proxy-host': {
    severity: 'error',
    title: 'Host name',
    sentence:
      'The proxy passes another host name on than the browser shows, so that logins and changes can be refused.',
    lines: {
      nginx: 'proxy_set_header Host $http_host;',
      caddy: '# Remove a line such as this one from reverse_proxy:\n# header_up Host {upstream_hostport}',
      traefik:
        'http:\n  services:\n    stowage:\n      loadBalancer:\n        # true is the default.\n        passHostHeader: true',
    },
  },
  'proxy-scheme': {
    severity: 'error',
    title: 'Scheme of the address (http or https)',
    sentence:
      'The server is told another scheme than the browser uses, so that session cookies are sent without TLS or not at all.',
    lines: {
      nginx: 'proxy_set_header X-Forwarded-Proto $scheme;',
      caddy:
        '# Only behind another proxy, which Caddy has to trust:\n{\n\tservers {\n\t\ttrusted_proxies static private_ranges\n\t}\n}',
      traefik:
        "# Only behind another proxy, which Traefik has to trust:\nentryPoints:\n  websecure:\n    forwardedHeaders:\n      trustedIPs: ['10.0.0.0/8']",
    },
  },
  'proxy-upgrade': {
    severity: 'warning',
    title: 'WebSocket',
    sentence: 'The proxy passes no WebSocket on, so that changes of others appear only after a reload.',
    lines: {
      nginx:
        'proxy_http_version 1.1;\nproxy_set_header Upgrade $http_upgrade;\nproxy_set_header Connection "upgrade";',
      caddy: '# Remove these lines from reverse_proxy:\n# header_up -Upgrade\n# header_up -Connection',
      traefik: '# Remove Upgrade and Connection from customRequestHeaders of the middleware "headers".',
    },
  },
  'proxy-escapes': {
    severity: 'error',
    title: 'Escaped characters',
    sentence:
      'The proxy decodes or refuses escaped characters such as %2F, so that some files cannot be opened, or wrong ones are.',
    lines: {
      nginx: '# No path after the port, and no "rewrite" in the location:\nproxy_pass http://127.0.0.1:8080;',
      caddy: '# Remove "uri", "rewrite" and "handle_path" from the block of the site.',
      traefik:
        'entryPoints:\n  websecure:\n    http:\n      encodedCharacters:\n        allowEncodedSlash: true\n        allowEncodedBackSlash: true\n        allowEncodedSemicolon: true\n        allowEncodedPercent: true\n        allowEncodedQuestionMark: true\n        allowEncodedHash: true',
    },
  },
  'proxy-methods': {
    severity: 'error',
    title: 'HTTP methods',
    sentence: 'The proxy refuses some HTTP methods, so that files cannot be saved, moved or deleted.',
    lines: {
      nginx:
        '# Remove "limit_except", and conditions on $request_method:\n# limit_except GET POST { deny all; }',
      caddy: '# Remove "method" from the matcher of the site:\n# @allowed method GET POST',
      traefik: '# Remove Method(…) from the rule of the router.',
    },
  },
  'proxy-header-size': {
    severity: 'warning',
    title: 'Long addresses',
    sentence:
      'The proxy refuses long addresses or headers, so that entries in deep folders cannot be opened.',
    lines: {
      nginx: 'large_client_header_buffers 4 64k;\nproxy_buffer_size 32k;\nproxy_buffers 4 32k;',
      caddy: '{\n\tservers {\n\t\tmax_header_size 256KB\n\t}\n}',
      traefik: '# Remove this line, or raise its value:\n# maxHeaderBytes: 262144',
    },
  },
  'proxy-ranges': {
    severity: 'warning',
    title: 'Parts of files',
    sentence:
      'The proxy drops requests for parts of files, so that downloads cannot resume and videos cannot seek.',
    lines: {
      nginx: 'proxy_set_header Range $http_range;\nproxy_set_header If-Range $http_if_range;',
      caddy: '# Remove these lines from reverse_proxy:\n# header_up -Range\n# header_up -If-Range',
      traefik: '# Remove Range and If-Range from customRequestHeaders of the middleware "headers".',
    },
  },
  'proxy-compression': {
    severity: 'warning',
    title: 'Compressed files',
    sentence: 'The proxy compresses files, so that downloads have no size and cannot resume.',
    lines: {
      nginx: 'gzip off;',
      caddy: '# Remove "encode" from the block of the site:\n# encode zstd gzip',
      traefik: '# Remove the middleware "compress" from the router.',
    },
  },
  'proxy-cache': {
    severity: 'error',
    title: 'Stored responses',
    sentence:
      'The proxy stores responses and sends them again, so that people see the state or the files of others.',
    lines: {
      nginx: 'proxy_cache off;',
      caddy: '# Remove "cache" from the block of the site.',
      traefik: '# Remove the plugin for caching from the router.',
    },
  },
  'proxy-body-limit': {
    severity: 'error',
    title: 'Size of uploads',
    sentence: 'The proxy limits the size of requests, so that large uploads fail.',
    lines: {
      nginx: 'client_max_body_size 0;',
      caddy: '# Remove "request_body" from the block of the site:\n# request_body {\n# \tmax_size 10MB\n# }',
      traefik: '# Remove maxRequestBodyBytes of the middleware "buffering".',
    },
  },
  'proxy-buffering': {
    severity: 'warning',
    title: 'Streaming',
    sentence:
      'The proxy stores uploads or responses before it passes them on, so that progress is wrong and results come late.',
    lines: {
      nginx: 'proxy_request_buffering off;\nproxy_buffering off;',
      caddy:
        '# Remove "request_buffers" and "response_buffers" from reverse_proxy, and add:\nreverse_proxy 127.0.0.1:8080 {\n\tflush_interval -1\n}',
      traefik: '# Remove the middleware "buffering" from the router.',
    },
  },
  'proxy-timeout': {
    severity: 'warning',
    title: 'Long operations',
    sentence:
      'The proxy ends requests that take longer than a minute, so that copies of large folders seem to fail.',
    lines: {
      nginx: 'proxy_read_timeout 1h;\nproxy_send_timeout 1h;',
      caddy:
        'reverse_proxy 127.0.0.1:8080 {\n\ttransport http {\n\t\tresponse_header_timeout 1h\n\t\tread_timeout 1h\n\t}\n}',
      traefik:
        'entryPoints:\n  websecure:\n    transport:\n      respondingTimeouts:\n        readTimeout: 0\n        writeTimeout: 0',
    },
  },
})

/** The code of something that the doctor can find between the browser and the server. */
export type ProxyFindingCode = keyof typeof proxyFindings

export const proxyFindingCodes = Object.keys(proxyFindings) as readonly ProxyFindingCode[]

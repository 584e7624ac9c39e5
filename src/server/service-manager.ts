import { sendDatagram } from './storage/posix/calls/kernel.ts'

/** The program that starts and watches this process, such as systemd. */
export type ServiceManager = {
  /** Tells that the server accepts connections. `status` is shown to the administrator (`systemctl status`). */
  readonly reportReady: (status: string) => Promise<void>
  /** Tells that the server has begun to stop. */
  readonly reportStopping: () => Promise<void>
}

/** The environment variable with the path of the socket on which a service manager expects messages (sd_notify(3)). */
const socketVariable = 'NOTIFY_SOCKET'

/**
 * Takes the address of the service manager from the environment, so that programs of users and hooks do not get it.
 * Without a service manager, the messages are not sent. `onFailure` is called when a message did not arrive, after which a
 * service manager that waits for readiness ends the server.
 */
export function takeServiceManager(
  env: Record<string, string | undefined>,
  onFailure: (line: string) => void,
): ServiceManager {
  const socket = env[socketVariable] ?? ''
  delete env[socketVariable]
  const tell = async (message: string): Promise<void> => {
    if (socket !== '' && !(await sendDatagram(socket, message)))
      onFailure('the service manager could not be told that the server is ready or stops')
  }
  return {
    reportReady: async (status) => tell(`READY=1\nSTATUS=${status.replaceAll('\n', ' ')}`),
    reportStopping: async () => tell('STOPPING=1'),
  }
}

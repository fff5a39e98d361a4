// Clients with many failed authentications are rate-limited by address. Tests about something else use a new loopback
// address for each client.
let given = 0

export function uniqueAddress(): string {
  given += 1
  return [127, 1 + (given >> 16), (given >> 8) & 255, given & 255].join('.')
}

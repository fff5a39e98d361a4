// Whoever sends many requests without right credentials is refused for that. Where a test is not about it, each comes from
// another address, of this machine.
let given = 0

export function ownAddress(): string {
  given += 1
  return [127, 1 + (given >> 16), (given >> 8) & 255, given & 255].join('.')
}

// Exact arithmetic on numbers in units of their last digit.

/** The result has as many places as the operand with more of them; a product has those of both. */
export function calculate(
  name: 'add' | 'subtract' | 'multiply',
  left: bigint,
  leftScale: number,
  right: bigint,
  rightScale: number,
): bigint {
  if (name === 'multiply') return left * right
  const scale = Math.max(leftScale, rightScale)
  const [first, second] = [left * tenTo(scale - leftScale), right * tenTo(scale - rightScale)]
  return name === 'add' ? first + second : first - second
}

/** With so many places, rounded half away from zero; 0 where the divisor is 0. */
export function quotient(left: bigint, leftScale: number, right: bigint, rightScale: number, places: number): bigint {
  return right === 0n ? 0n : divided(left * tenTo(rightScale + places), right * tenTo(leftScale))
}

/** With fewer places, rounded half away from zero. */
export function rounded(units: bigint, scale: number, places: number): bigint {
  return divided(units, tenTo(scale - places))
}

function divided(whole: bigint, part: bigint): bigint {
  const [above, below] = [magnitude(whole), magnitude(part)]
  const result = (2n * above + below) / (2n * below)
  return whole < 0n === part < 0n ? result : -result
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

function tenTo(places: number): bigint {
  return 10n ** BigInt(places)
}

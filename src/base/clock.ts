/** The time of day, passed in so that tests can choose it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

// Loaded into a process of the tests: it crashes when it is told to, with what a driver might say.
const message = 'lost postgres://app:canarypassword3d1e@db/records, secret=canarysecret7c90'
process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error(message)
  })
})
process.on('SIGPWR', () => void Promise.reject(new Error(message)))

// A provider for promptfoo: right but for one answer, which is wrong in the second repeat of the
// first prompt, and an error for the question that breaks.
const asked = new Map()

module.exports = class {
  id() {
    return 'mine'
  }

  async callApi(prompt) {
    const n = (asked.get(prompt) ?? 0) + 1
    asked.set(prompt, n)
    if (prompt.includes('breaks')) {
      return { error: 'the model is broken' }
    }
    const capital = n === 2 && prompt.startsWith('Answer') ? 'Lyon' : 'Paris'
    return { output: prompt.includes('capital') ? capital : 'It is 2', tokenUsage: { total: 6, prompt: 5, completion: 1 } }
  }
}

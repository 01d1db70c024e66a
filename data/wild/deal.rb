# SPDX-License-Identifier: GPL-3.0-or-later
# Deals with a shuffle of Ruby: ruby deal.rb FUNCTION N [prove]
# FUNCTION is a lambda of a deck and of an object that has rand(limit), and returns a deck.
require 'securerandom'

# Answers rand(limit) by asking `shufflebias prove`.
class Asking
  def rand(limit = nil)
    $stdout.puts(limit ? "draw #{limit}" : 'random')
    $stdout.flush
    answer = $stdin.gets or exit
    limit ? answer.to_i : answer.to_f
  end
end

shuffle = eval(ARGV[0])
n = ARGV[1].to_i
begin
  if ARGV[2] == 'prove'
    asking = Asking.new
    while $stdin.gets
      $stdout.puts "deck #{shuffle.call((0...n).to_a, asking).join(' ')}"
      $stdout.flush
    end
  else
    loop { $stdout.puts(Array.new(500) { shuffle.call((0...n).to_a, Random).join(' ') }) }
  end
rescue Errno::EPIPE
  exit! # the reader has seen enough
end

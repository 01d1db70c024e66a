# SPDX-License-Identifier: GPL-3.0-or-later
# Homebrew's formula without Homebrew: formula.rb FORMULA SHUFFLEBIAS
#
# Stands in for the few methods of Formula that the file uses. It prints the dependencies, the steps of `install` and the
# version, one per line, and runs the block `test` with the program.
require "pathname"

class Pathname
  def install(what)
    puts "stage #{what} #{basename}"
  end
end

class Formula
  class << self
    attr_reader :release

    %w[desc homepage license sha256 tag revision].each { |name| define_method(name) { |*| } }

    def url(address, **)
      @release ||= address[/-(\d+\.\d+\.\d+)\.tar\.gz$/, 1]
    end

    def depends_on(what)
      puts "depends #{what.is_a?(Hash) ? "#{what.keys[0]} #{what.values[0]}" : what}"
    end

    def uses_from_macos(what)
      puts "depends #{what}"
    end

    def resource(name)
      puts "resource #{name}"
      yield
    end

    def test(&block)
      define_method(:run_test, &block)
    end
  end

  def initialize(program)
    @program = Pathname.new(program)
  end

  def version = self.class.release
  def bin = @program.dirname
  def buildpath = Pathname.new("/source")
  def resource(name) = name
  def std_meson_args = ["--prefix=/prefix"]
  def system(*words) = puts("run #{words.join(" ")}")

  def shell_output(command, expected = 0)
    output = `#{command}`
    raise "'#{command}' ended with #{$?.exitstatus}, not with #{expected}" unless $?.exitstatus == expected

    output
  end

  def assert_equal(wanted, got)
    raise "'#{got}' is not '#{wanted}'" unless wanted == got
  end

  def assert_match(wanted, text)
    raise "'#{wanted}' is not in '#{text}'" unless text.include?(wanted)
  end
end

def ENV.append(name, value)
  puts "flags #{name} #{value}"
end

load ARGV[0]
formula = Shufflebias.new(ARGV[1])
puts "version #{formula.version}"
formula.install
formula.run_test

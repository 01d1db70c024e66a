# SPDX-License-Identifier: GPL-3.0-or-later
# The formula for Homebrew. data/packaging/formula.sh fills in the address of a release and its checksum.
class Shufflebias < Formula
  desc "Tells whether a shuffle is fair"
  homepage "https://example.org/shufflebias"
  url "https://example.org/shufflebias-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "gmp"
  depends_on "gsl"
  depends_on "jansson"
  depends_on "pcre2"

  uses_from_macos "zlib"

  # Headers alone, which Homebrew has no formula of.
  resource "random123" do
    url "https://github.com/DEShawResearch/random123.git",
        tag: "v1.14.0", revision: "726a093cd9a73f3ec3c8d7a70ff10ed8efec8d13"
  end

  def install
    (buildpath/"random123").install resource("random123")
    ENV.append "CPPFLAGS", "-I#{buildpath}/random123/include"
    system "meson", "setup", "build", "-Dtests=false", *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  test do
    assert_equal "shufflebias #{version}", shell_output("#{bin}/shufflebias --version").strip
    assert_match "FAIL", shell_output("#{bin}/shufflebias gate naive --quiet", 1)
  end
end

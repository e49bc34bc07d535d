# Homebrew on Linux. scripts/release fills in the places with @ and writes the formula to dist/.
class Rondo < Formula
  desc "Renders videos from JSON: command line, service, API and dashboard"
  homepage "@URL@"
  url "@URL@/releases/v@VERSION@/rondo-@VERSION@-source.tar.gz"
  sha256 "@SOURCE_SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "llvm" => :build
  depends_on "pkgconf" => :build
  depends_on "rust" => :build
  depends_on "ffmpeg@6"
  # Isolation is made of Landlock, seccomp and namespaces.
  depends_on :linux

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli", root: libexec)
    # The program finds them beside itself, in ../share/rondo, and loads FFmpeg at run time.
    files = libexec/"share/rondo"
    (files/"assets/fonts").install "assets/fonts/web"
    (files/"docs/gallery").install Dir["docs/gallery/*.png"]
    Dir["templates/*/meta.toml"].each { |meta| (files/"templates").install File.dirname(meta) }
    (bin/"rondo").write_env_script libexec/"bin/rondo", LD_LIBRARY_PATH: Formula["ffmpeg@6"].opt_lib
    generate_completions_from_executable(bin/"rondo", "completions")
    system bin/"rondo", "man", man1
  end

  service do
    run [opt_bin/"rondo", "serve", "--data", var/"rondo"]
    keep_alive true
  end

  test do
    system bin/"rondo", "init", "film"
    system bin/"rondo", "check", "film/composition.json"
    system bin/"rondo", "frame", "film/composition.json", "--frame", "60", "-o", "frame.png"
    assert_predicate testpath/"frame.png", :exist?
  end
end
